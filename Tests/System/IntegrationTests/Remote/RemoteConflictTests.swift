import DocentTestSupport
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

    @Test("a new document whose name was taken during its upload does not replace the other document")
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
        }
    }
}
