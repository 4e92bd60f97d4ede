import DocentTestSupport
import Documents
import Foundation
import Testing

/// Deleting on real servers, and the rights to deleted documents.
@Suite(.needs(.daemon, .server)) struct DeleteRemoteTests {
    @Test(
        "H9: documents and folders are deleted locally and on the server",
        arguments: Sample.shared.of(WebDAVServer.Kind.allCases))
    func both(_ kind: WebDAVServer.Kind) async throws {
        try await RemoteInstallation.with(kind) { server in
            try await server.put("one", "a.txt")
            try await server.makeFolder("Full")
            try await server.put("two", "Full/b.txt")
        } _: { remote in
            #expect(try await remote.read("Full/b.txt") == "two")
            #expect(try await remote.docent("rm", remote.location("Full")).status == 6)
            try await remote.docent("rm", "-r", remote.location("Full"), remote.location("a.txt")).succeeded()
            #expect(try await remote.server.list().isEmpty)
            #expect(try await remote.names().isEmpty)
            #expect(remote.localFiles("b.txt").isEmpty)
            #expect(try await remote.docent("rm", remote.location("a.txt")).status == 2)
        }
    }

    @Test(
        "fault 5: a new document at the path of a deleted one inherits no right, whoever deleted it",
        arguments: [true, false])
    func inheritance(byUs: Bool) async throws {
        try await RemoteInstallation.with { server in
            try await server.put("mine", "a.txt")
        } _: { remote in
            let bookmark = try await remote.installation.bookmark(remote.location("a.txt")).bookmark
            let client = remote.installation.client()
            let document = try await remote.open("a.txt", client: client)
            #expect(try await remote.read(bookmark: bookmark) == "mine")
            if byUs {
                try await remote.docent("rm", remote.location("a.txt")).succeeded()
            } else {
                try await remote.server.delete("a.txt")
                try await remote.eventually("the local copy is gone too") { try await remote.names().isEmpty }
            }
            #expect(try await remote.docent("cat", "--bookmark", bookmark).status == 2)
            try await remote.server.put("somebody's secret", "a.txt")
            #expect(try await remote.names() == ["a.txt"])
            for _ in 0..<2 {
                let read = try await remote.docent("cat", "--bookmark", bookmark)
                #expect(read.status != 0 && read.text.isEmpty, "\(read)")
                await #expect(throws: DocumentsError.self) { try await RemoteInstallation.text(document) }
                await #expect(throws: DocumentsError.self) { try await RemoteInstallation.save("mine!", document) }
                try await remote.restartDaemon()
            }
            #expect(try await remote.server.text("a.txt") == "somebody's secret")
            // A new grant makes it readable, and only it.
            let fresh = try await remote.installation.bookmark(remote.location("a.txt")).bookmark
            #expect(try await remote.read(bookmark: fresh) == "somebody's secret")
            let old = try await remote.docent("cat", "--bookmark", bookmark)
            #expect(old.status != 0 && old.text.isEmpty, "\(old)")
            client.close()
        }
    }

    @Test("HAZARDS 4: a document that its server lost for a while gets its rights back")
    func restored() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("mine", "a.txt")
        } _: { remote in
            let bookmark = try await remote.installation.bookmark(remote.location("a.txt")).bookmark
            #expect(try await remote.read(bookmark: bookmark) == "mine")
            let (here, aside) = (remote.server.folder + "/a.txt", remote.server.folder + "/../aside.txt")
            try FileManager.default.moveItem(atPath: here, toPath: aside)
            try await remote.eventually("the local copy is gone too") { try await remote.names().isEmpty }
            #expect(try await remote.docent("cat", "--bookmark", bookmark).status == 2)
            try FileManager.default.moveItem(atPath: aside, toPath: here)
            #expect(try await remote.names() == ["a.txt"])
            #expect(try await remote.read(bookmark: bookmark) == "mine")
        }
    }

    @Test("HAZARDS 4, 19: an unsent change is kept as a version and named, and nothing is sent afterwards")
    func unsent() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("one", "a.txt")
        } _: { remote in
            try await remote.faults().add(.status(503, retryAfter: "3600").on("PUT").always)
            try await remote.write("changed", "a.txt").succeeded()
            try await remote.write("new", "b.txt").succeeded()
            let removed = try await remote.docent("rm", remote.location("a.txt"), remote.location("b.txt")).succeeded()
            let kept = try await remote.versions()
            #expect(kept.map(\.name).sorted() == ["a.txt", "b.txt"] && kept.allSatisfy { $0.reason == "unsent" })
            for version in kept { #expect(removed.errors.contains("docent versions show \(version.identifier)")) }
            let texts = try await [
                remote.docent("versions", "show", kept[0].identifier, "-o", "-").succeeded().text,
                remote.docent("versions", "show", kept[1].identifier, "-o", "-").succeeded().text,
            ]
            #expect(Set(texts) == ["changed", "new"])
            try await remote.faults().reset()
            #expect(try await remote.transfers().isEmpty)
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.names().isEmpty)
            #expect(try await remote.server.list().isEmpty)
        }
    }

    @Test("HAZARDS 5: a document that changed since its client read it is not deleted")
    func changed() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("one", "a.txt")
        } _: { remote in
            try await remote.faults().add(.hold().on("LOCK"))
            async let removing = remote.docent("rm", remote.location("a.txt"))
            _ = try await remote.faults().request("the lock") { $0.method == "LOCK" }
            try await remote.server.put("somebody's", "a.txt")
            try await remote.faults().release()
            let refused = try await removing
            #expect(refused.status == 6, "\(refused)")
            #expect(try await remote.server.text("a.txt") == "somebody's")
            #expect(try await remote.read("a.txt") == "somebody's")
        }
    }

    @Test("HAZARDS 19: deleting ends a download with an error for its reader, and leaves nothing of it")
    func downloading() async throws {
        let text = String(repeating: "0123456789", count: 400_000)
        try await RemoteInstallation.with { server in
            try await server.put(text, "a.txt")
        } _: { remote in
            try await remote.faults().add(.throttle(200_000).on("GET"))
            async let reading = remote.docent("cat", remote.location("a.txt"))
            _ = try await remote.faults().request("the download") { $0.method == "GET" }
            try await remote.docent("rm", remote.location("a.txt")).succeeded()
            let read = try await reading
            #expect(read.status != 0 && read.text != text, "\(read.status)")
            #expect(try await remote.names().isEmpty)
            #expect(try await remote.server.list().isEmpty)
            #expect(remote.localFiles("a.txt").isEmpty)
            try await remote.eventually("no part of it is left") {
                try await remote.transfers().isEmpty
                    && FileManager.default.contentsOfDirectory(atPath: remote.installation.data + "/Downloads").isEmpty
            }
        }
    }
}
