import DocentTestSupport
import Documents
import Foundation
import Testing

/// A server that forbids everything: no proof of a deletion, and no reason to hide local copies from clients with a
/// right to them.
@Suite(.needs(.daemon, .server)) struct ForbiddenTests {
    @Test("HAZARDS 3, 18: a local copy stays readable by its right and its path, and is marked as unconfirmed")
    func local() async throws {
        try await RemoteInstallation.with { server in
            try await server.makeFolder("folder")
            for name in ["here", "there", "edited"] { try await server.put(name, "folder/\(name).txt") }
        } _: { remote in
            let bookmark = try await remote.installation.bookmark(remote.location("folder/here.txt")).bookmark
            #expect(try await remote.names("folder").count == 3)
            #expect(try await remote.read("folder/here.txt") == "here")
            #expect(try await remote.read("folder/edited.txt") == "edited")
            #expect(try await !remote.info("folder/here.txt").isStale)
            let proxy = try remote.faults()
            try await proxy.add(.hold().on("PUT"))
            try await remote.write("mine", "folder/edited.txt").succeeded()
            _ = try await proxy.request("the upload") { $0.method == "PUT" }
            try await proxy.add(.status(403).always)

            #expect(try await remote.read(bookmark: bookmark) == "here")
            #expect(try await remote.read("folder/here.txt") == "here")
            #expect(try await remote.read("folder/edited.txt") == "mine")
            #expect(try await remote.info("folder/here.txt").isStale)
            // A document without a local copy is not delivered, and no folder is listed.
            #expect(try await remote.docent("cat", remote.location("folder/there.txt")).status == 3)
            #expect(try await remote.docent("ls", remote.location("folder")).status == 3)
            #expect(try await remote.docent("rm", remote.location("folder/here.txt")).status == 3)

            try await proxy.reset()
            #expect(try await remote.names("folder").count == 3)
            #expect(try await !remote.info("folder/here.txt").isStale)
            _ = try await remote.docent("transfers", "retry")
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("folder/edited.txt") == "mine")
        }
    }
}
