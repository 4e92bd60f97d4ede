import DocentTestSupport
import Foundation
import Testing

/// Deletions on a server without a trash, which can be taken back for a while.
@Suite(.needs(.daemon, .server)) struct TrashPeriodTests {
    struct Removed: Decodable {
        var location: String
        var outcome: String
        var finalDate: String?
    }

    struct Entry: Decodable {
        var name: String
        var finalDate: String?
    }

    private static func with(
        seconds: String, _ body: (RemoteInstallation) async throws -> Void
    ) async throws {
        let options = RemoteInstallation.Options(environment: ["DOCENT_DELETION_GRACE_SECONDS": seconds])
        try await RemoteInstallation.with(options: options) { server in
            try await server.put("one", "a.txt")
            try await server.makeFolder("Full")
            try await server.put("two", "Full/b.txt")
        } _: {
            try await body($0)
        }
    }

    private static func entries(_ remote: RemoteInstallation) async throws -> [Entry] {
        try await remote.docent("trash", "list", "--json", "webdav@work").succeeded().json([Entry].self)
    }

    @Test("O15, O16: a deletion on a server is taken back with its rights, also after a kill")
    func takenBack() async throws {
        try await Self.with(seconds: "86400") { remote in
            let bookmark = try await remote.installation.bookmark(remote.location("Full/b.txt")).bookmark
            #expect(try await remote.read("Full/b.txt") == "two")
            let removed = try await remote.docent(
                "rm", "-r", "--json", remote.location("Full"), remote.location("a.txt")
            ).succeeded().json([Removed].self)
            #expect(removed.map(\.outcome) == ["pending", "pending"])
            #expect(removed.allSatisfy { $0.finalDate != nil })
            #expect(try await remote.names().isEmpty)
            #expect(Set(try await remote.server.list()) == ["Full", "a.txt"])
            #expect(try await remote.docent("cat", "--bookmark", bookmark).status == 2)
            #expect(try await remote.docent("cat", remote.location("a.txt")).status == 2)
            try await remote.killDaemon()
            #expect(try await remote.names().isEmpty)
            #expect(try await Self.entries(remote).map(\.name) == ["a.txt", "Full"])
            #expect(try await Self.entries(remote).allSatisfy { $0.finalDate != nil })
            try await remote.docent("undo", "--yes").succeeded()
            #expect(try await remote.read("a.txt") == "one")
            try await remote.docent("trash", "restore", remote.location("Full")).succeeded()
            #expect(try await remote.read(bookmark: bookmark) == "two")
            #expect(try await Self.entries(remote).isEmpty)
        }
    }

    @Test("O15: when the time has passed, and when the trash is emptied, the server is asked to delete")
    func final() async throws {
        try await Self.with(seconds: "1") { remote in
            let removed = try await remote.docent("rm", remote.location("a.txt")).succeeded()
            #expect(removed.text.contains("`docent undo` brings it back until"), "\(removed)")
            try await remote.eventually("the server has deleted it") {
                try await remote.server.list() == ["Full"]
            }
        }
        try await Self.with(seconds: "86400") { remote in
            try await remote.docent("rm", "-r", remote.location("Full")).succeeded()
            try await remote.docent("trash", "empty", "--yes", "webdav@work").succeeded()
            #expect(try await remote.server.list() == ["a.txt"])
            #expect(try await remote.docent("undo", "--yes").status == 6)
            // At once.
            try await remote.docent("rm", "--permanently", remote.location("a.txt")).succeeded()
            #expect(try await remote.server.list().isEmpty)
        }
    }

    @Test("O15: a new document at the same path comes after the deletion, and a change by others prevents it")
    func samePath() async throws {
        try await Self.with(seconds: "86400") { remote in
            let bookmark = try await remote.installation.bookmark(remote.location("a.txt")).bookmark
            try await remote.docent("rm", remote.location("a.txt")).succeeded()
            try await remote.write("new", "a.txt").succeeded()
            try await remote.drain().succeeded()
            #expect(try await remote.server.text("a.txt") == "new")
            #expect(try await remote.read("a.txt") == "new")
            #expect(try await Self.entries(remote).isEmpty)
            // It has none of the rights of the old one.
            #expect(try await remote.docent("cat", "--bookmark", bookmark).status != 0)

            try await remote.docent("rm", "-r", remote.location("Full")).succeeded()
            try await remote.server.put("theirs", "Full/c.txt")
            #expect(try await remote.docent("trash", "empty", "--yes", "webdav@work").status == 6)
            #expect(try await remote.server.text("Full/c.txt") == "theirs")
            #expect(try await remote.read("Full/b.txt") == "two")
        }
    }

    @Test("O15: a logout carries deletions out, and a removal of the account gives them up")
    func accounts() async throws {
        try await Self.with(seconds: "86400") { remote in
            try await remote.docent("rm", remote.location("a.txt")).succeeded()
            #expect(try await remote.docent("domains", "remove", "webdav", "work").status == 6)
            let removed = try await remote.docent("domains", "remove", "--force", "--yes", "webdav", "work")
            #expect(removed.status == 0, "\(removed)")
            #expect(try await remote.server.text("a.txt") == "one")
            try await remote.addDomain().succeeded()
            let names = try await remote.names().sorted()
            #expect(names == ["Full/", "a.txt"], "\(names)")
        }
    }
}
