import DocentTestSupport
import Documents
import Foundation
import Testing

/// Renaming and moving on real servers: where paths are identifiers, all records under the old paths follow.
@Suite(.needs(.daemon, .server)) struct MoveRemoteTests {
    @Test(
        "F1–F4: rights, bookmarks and copies follow a document and the contents of a folder",
        arguments: Sample.shared.of(WebDAVServer.Kind.allCases))
    func follow(_ kind: WebDAVServer.Kind) async throws {
        try await RemoteInstallation.with(kind) { server in
            try await server.put("top", "top.txt")
            try await server.makeFolder("Old")
            try await server.makeFolder("Old/Deep")
            try await server.put("one", "Old/one.txt")
            try await server.put("two", "Old/Deep/two.txt")
            try await server.put("three", "Old/Deep/three.txt")
            try await server.makeFolder("Archive")
        } _: { remote in
            let bookmarks = try await remote.bookmarks(["top.txt", "Old/one.txt", "Old/Deep/two.txt"])
            let client = remote.installation.client()
            let open = try await remote.open("Old/Deep/two.txt", client: client)
            #expect(try await RemoteInstallation.text(open) == "two")
            #expect(try await remote.read("Old/one.txt") == "one")
            try await remote.docent("pin", remote.location("Old/Deep/three.txt")).succeeded()

            let renamed = try await remote.docent("rename", remote.location("top.txt"), "Über uns.txt").succeeded()
            #expect(renamed.text == remote.location("Über uns.txt") + "\n")
            try await remote.docent("rename", remote.location("Old"), "/Archive/2026").succeeded()
            #expect(try await remote.server.list() == ["Archive", "Über uns.txt"])
            #expect(try await remote.server.text("Archive/2026/Deep/two.txt") == "two")
            #expect(try await remote.names("Archive/2026/Deep") == ["three.txt", "two.txt"])
            #expect(try await remote.info("Archive/2026/Deep/three.txt").isPinned)

            // Other clients use the old paths now: earlier grants do not cover them.
            try await remote.server.put("stranger's top", "top.txt")
            try await remote.server.makeFolder("Old")
            try await remote.server.put("stranger's one", "Old/one.txt")
            for _ in 0..<2 {
                #expect(try await remote.read(bookmark: bookmarks["top.txt"] ?? "") == "top")
                #expect(try await remote.read(bookmark: bookmarks["Old/one.txt"] ?? "") == "one")
                #expect(try await remote.read(bookmark: bookmarks["Old/Deep/two.txt"] ?? "") == "two")
                #expect(try await Set(remote.names()) == ["Archive/", "Old/", "top.txt", "Über uns.txt"])
                try await remote.restartDaemon()
            }
            try await RemoteInstallation.save("changed", open)
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("Archive/2026/Deep/two.txt") == "changed")
            #expect(try await remote.server.text("Old/one.txt") == "stranger's one")
            #expect(try await remote.server.list("Archive/2026/Deep") == ["three.txt", "two.txt"])
            client.close()
        }
    }

    @Test("HAZARDS 3: offline nothing is moved or deleted, and the command fails with 5")
    func offline() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("one", "a.txt")
        } _: { remote in
            let bookmark = try await remote.installation.bookmark(remote.location("a.txt")).bookmark
            #expect(try await remote.read(bookmark: bookmark) == "one")
            try await remote.faults().refuse()
            for words in [["rename", remote.location("a.txt"), "b.txt"], ["rm", remote.location("a.txt")]] {
                let refused = try await remote.docent(words)
                #expect(refused.status == 5, "\(refused)")
            }
            #expect(try await remote.docent("mkdir", remote.location("New")).status == 5)
            #expect(try await remote.read(bookmark: bookmark) == "one")
            try await remote.faults().accept()
            #expect(try await remote.server.list() == ["a.txt"])
            try await remote.eventually("it can be renamed again") {
                try await remote.docent("rename", remote.location("a.txt"), "b.txt").status == 0
            }
            #expect(try await remote.read(bookmark: bookmark) == "one")
            #expect(try await remote.server.list() == ["b.txt"])
        }
    }

    @Test("a taken name is a conflict, also if another client took it just before")
    func collisions() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("one", "a.txt")
            try await server.put("two", "b.txt")
        } _: { remote in
            #expect(try await remote.docent("rename", remote.location("a.txt"), "B.TXT").status == 6)
            // The server refuses a name that the listing did not contain.
            try await remote.faults().add(.hold().on("MOVE"))
            async let late = remote.docent("rename", remote.location("a.txt"), "c.txt")
            _ = try await remote.faults().request("the move") { $0.method == "MOVE" }
            try await remote.server.put("somebody's", "c.txt")
            try await remote.faults().release()
            let outcome = try await late
            #expect(outcome.status == 6, "\(outcome)")
            #expect(try await remote.server.text("c.txt") == "somebody's")
            #expect(try await remote.read("a.txt") == "one")
            try await remote.docent("mkdir", remote.location("New")).succeeded()
            #expect(try await remote.docent("mkdir", remote.location("new")).status == 6)
            #expect(try await remote.server.list() == ["New", "a.txt", "b.txt", "c.txt"])
        }
    }

    @Test("HAZARDS 19: a change that waits to be sent follows the rename of its folder")
    func queued() async throws {
        try await RemoteInstallation.with { server in
            try await server.makeFolder("Old")
            try await server.put("one", "Old/a.txt")
        } _: { remote in
            let bookmark = try await remote.installation.bookmark(remote.location("Old/a.txt")).bookmark
            try await remote.faults().add(.status(503, retryAfter: "3600").on("PUT").always)
            try await remote.write("changed", "Old/a.txt").succeeded()
            try await remote.write("new", "Old/b.txt").succeeded()
            try await remote.eventually("both are queued") {
                try await remote.transfers().filter { $0.state == "retrying" }.count == 2
            }
            try await remote.docent("rename", remote.location("Old"), "New").succeeded()
            #expect(try await remote.names("New") == ["a.txt", "b.txt"])
            #expect(try await remote.read("New/a.txt") == "changed")
            #expect(try await remote.read(bookmark: bookmark) == "changed")
            try await remote.faults().reset()
            try await remote.docent("transfers", "retry").succeeded()
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.list("New") == ["a.txt", "b.txt"])
            #expect(try await remote.server.text("New/a.txt") == "changed")
            #expect(try await remote.server.text("New/b.txt") == "new")
            #expect(try await remote.server.list() == ["New"])
            #expect(try await remote.versions().isEmpty)
            #expect(try await remote.read(bookmark: bookmark) == "changed")
        }
    }

    @Test("HAZARDS 19: a rename waits for running uploads, and says what to do when that takes too long")
    func sending() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("one", "a.txt")
        } _: { remote in
            try await remote.faults().add(.hold().on("PUT"))
            try await remote.write("changed", "a.txt").succeeded()
            _ = try await remote.faults().request("the upload") { $0.method == "PUT" }
            let refused = try await remote.docent("rename", remote.location("a.txt"), "b.txt")
            #expect(refused.status == 5 && refused.errors.contains("docent drain"), "\(refused)")
            async let renamed = remote.docent("rename", remote.location("a.txt"), "b.txt")
            try await remote.faults().release()
            try await renamed.succeeded()
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.list() == ["b.txt"])
            #expect(try await remote.server.text("b.txt") == "changed")
        }
    }

    @Test("H5, HAZARDS 19: a read or save during a rename of the folder concerns the same document at its new place")
    func during() async throws {
        try await RemoteInstallation.with { server in
            try await server.makeFolder("Old")
            try await server.put("one", "Old/a.txt")
            try await server.put("two", "Old/b.txt")
        } _: { remote in
            let client = remote.installation.client()
            defer { client.close() }
            let written = try await remote.open("Old/a.txt", client: client)
            let read = try await remote.open("Old/b.txt", client: client)
            try await remote.faults().add(.hold().on("MOVE"))
            async let renamed = remote.docent("rename", remote.location("Old"), "New")
            _ = try await remote.faults().request("the move") { $0.method == "MOVE" }
            async let saved: Void = RemoteInstallation.save("saved meanwhile", written)
            async let text = RemoteInstallation.text(read)
            // Both are being sent.
            try await Task.sleep(for: .milliseconds(500))
            try await remote.faults().release()
            try await renamed.succeeded()
            try await saved
            #expect(try await text == "two")
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.list() == ["New"])
            #expect(try await remote.server.text("New/a.txt") == "saved meanwhile")
            #expect(try await remote.server.list("New") == ["a.txt", "b.txt"])
            #expect(try await remote.versions().isEmpty)
        }
    }
}
