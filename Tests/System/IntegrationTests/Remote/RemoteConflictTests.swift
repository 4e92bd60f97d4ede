import DocentTestSupport
import Documents
import Foundation
import Testing

/// Conflicting changes: neither is lost, and the remote one stays current (HAZARDS 5).
@Suite(.needs(.daemon, .server)) struct RemoteConflictTests {
    @Test(
        "after a conflict the remote change stays current; ours is kept as a version that can be listed, read and removed",
        arguments: Sample.shared.of(WebDAVServer.Kind.allCases))
    func bothSides(kind: WebDAVServer.Kind) async throws {
        try await RemoteInstallation.with(kind) { server in
            try await server.put("old", "a.txt")
        } _: { remote in
            #expect(try await remote.read("a.txt") == "old")
            let identifier = try await remote.info("a.txt").identifier
            try await remote.faults().refuse()
            try await remote.write("mine", "a.txt").succeeded()
            try await remote.server.put("theirs", "a.txt")
            try await remote.faults().accept()
            #expect(try await remote.drain().status == 0)

            #expect(try await remote.server.text("a.txt") == "theirs")
            #expect(try await remote.server.list() == ["a.txt"])
            #expect(try await remote.read("a.txt") == "theirs")
            let item = try await remote.info("a.txt")
            #expect(item.conflicts == 1 && item.identifier == identifier && item.uploadState == "uploaded")
            let text = try await remote.docent("info", remote.location("a.txt")).succeeded().text
            #expect(text.contains("docent versions"), "\(text)")
            let version = try #require(try await remote.versions("a.txt").first)
            #expect(version.reason == "conflict" && version.name == "a.txt" && version.size == 4)
            #expect(try await remote.versions() == [version])
            #expect(try await remote.docent("versions", "show", version.identifier).succeeded().text == "mine")
            // It survives a restart, until it is removed.
            try await remote.restartDaemon()
            #expect(try await remote.info("a.txt").conflicts == 1)
            try await remote.docent("versions", "remove", "--yes", version.identifier).succeeded()
            #expect(try await remote.info("a.txt").conflicts == 0)
            #expect(try await remote.versions().isEmpty)
            #expect(try await remote.docent("versions", "show", version.identifier).status == 2)
            // Further saves work.
            try await remote.write("mine again", "a.txt").succeeded()
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("a.txt") == "mine again")
        }
    }

    @Test("a foreign change between the begin of a write and its end is a conflict, not overwritten")
    func whileWriting() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("old", "a.txt")
        } _: { remote in
            let client = remote.installation.client()
            let document = try await remote.open("a.txt", client: client)
            #expect(try await RemoteInstallation.text(document) == "old")
            let session = try await document.beginWriting(replacing: true)
            try writeAll("mine", to: session.descriptor)
            try await remote.server.put("theirs", "a.txt")
            // A lookup meanwhile returns the other change.
            #expect(try await remote.read("a.txt") == "theirs")
            do throws(DocumentsError) { try await session.commit() } catch { #expect(error.code == .conflict) }
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("a.txt") == "theirs")
            #expect(try await remote.read("a.txt") == "theirs")
            let versions = try await remote.versions()
            #expect(versions.map(\.reason) == ["conflict"])
            let version = try #require(versions.first)
            #expect(try await remote.docent("versions", "show", version.identifier).succeeded().text == "mine")
            client.close()
        }
    }

    @Test("a save of a document that was deleted elsewhere is kept as a version")
    func deleted() async throws {
        try await RemoteInstallation.with { server in
            for name in ["a", "b"] { try await server.put("old", "\(name).txt") }
        } _: { remote in
            #expect(try await remote.names() == ["a.txt", "b.txt"])
            #expect(try await remote.read("a.txt") == "old")
            try await remote.faults().refuse()
            try await remote.write("mine", "a.txt").succeeded()
            try await remote.server.delete("a.txt")
            try await remote.faults().accept()
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.names() == ["b.txt"])
            #expect(try await remote.server.list() == ["b.txt"])
            let version = try #require(try await remote.versions().first)
            #expect(version.reason == "deleted" && version.name == "a.txt")
            #expect(try await remote.docent("versions", "show", version.identifier).succeeded().text == "mine")
            #expect(remote.localFiles("a.txt").isEmpty)
        }
    }

    @Test("consecutive saves while offline are no conflict")
    func ownSaves() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("old", "a.txt")
        } _: { remote in
            #expect(try await remote.read("a.txt") == "old")
            try await remote.faults().refuse()
            for number in 1...3 {
                try await remote.write("save \(number)", "a.txt").succeeded()
                #expect(try await remote.read("a.txt") == "save \(number)")
            }
            try await remote.restartDaemon()
            try await remote.write("save 4", "a.txt").succeeded()
            try await remote.faults().accept()
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("a.txt") == "save 4")
            #expect(try await remote.read("a.txt") == "save 4")
            #expect(try await remote.versions().isEmpty)
            #expect(try await remote.server.list() == ["a.txt"])
        }
    }

    @Test("a new document whose name was taken meanwhile is not lost, and the other document is not replaced")
    func takenName() async throws {
        try await RemoteInstallation.with { remote in
            #expect(try await remote.names().isEmpty)
            try await remote.faults().add(.hold().on("MOVE"))
            try await remote.write("mine", "new.txt").succeeded()
            _ = try await remote.faults().request("its last step") { $0.method == "MOVE" }
            try await remote.server.put("theirs", "new.txt")
            try await remote.faults().release()
            let drained = try await remote.drain()
            #expect(try await remote.server.text("new.txt") == "theirs")
            #expect(drained.status == 1, "\(drained)")
            #expect(drained.errors.contains("new.txt"))
            #expect(try await remote.server.list() == ["new.txt"])
            #expect(try await remote.transfers().map(\.state) == ["failed"])
            // The name is free again: the waiting change can be sent.
            try await remote.server.delete("new.txt")
            try await remote.docent("transfers", "retry").succeeded()
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("new.txt") == "mine")
            #expect(try await remote.names() == ["new.txt"])
            #expect(try await remote.read("new.txt") == "mine")
        }
    }
}
