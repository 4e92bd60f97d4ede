import DocentTestSupport
import Documents
import Foundation
import Testing

/// Changes by others become visible here (HAZARDS 13).
@Suite(.needs(.daemon, .server)) struct RemoteChangeTests {
    @Test(
        "an unused copy becomes stale, and the next reader gets the new content",
        arguments: Sample.shared.of([WebDAVServer.Kind.apache, .rclone]))
    func stale(kind: WebDAVServer.Kind) async throws {
        try await RemoteInstallation.with(kind) { server in
            try await server.put("old", "a.txt")
        } _: { remote in
            #expect(try await remote.read("a.txt") == "old")
            try await remote.server.put("newer", "a.txt")
            try await remote.eventually("it is stale") { try await remote.info("a.txt").isStale }
            let item = try await remote.info("a.txt")
            #expect(item.isDownloaded && item.size == 5)
            #expect(try await remote.downloads("a.txt").count == 1)
            #expect(try await remote.docent("ls", "-l", remote.location("")).succeeded().text.contains("su--"))
            #expect(try await remote.read("a.txt") == "newer")
            #expect(!(try await remote.info("a.txt").isStale))
            // rclone shows the intermediate state of a change: that may be fetched too.
            let downloads = try await remote.downloads("a.txt").count
            #expect(kind.isCareful ? downloads == 2 : downloads >= 2, "\(downloads)")
        }
    }

    @Test("L2: the poller ends the lease of a changed document, and updates open and pinned ones")
    func openAndPinned() async throws {
        // Only the poller can notice changes: fetched metadata stays valid for a long time.
        let options = RemoteInstallation.Options(isAlwaysFresh: false, environment: ["DOCENT_FRESH_SECONDS": "3600"])
        try await RemoteInstallation.with(options: options) { server in
            for name in ["open", "pinned", "idle"] { try await server.put("old", "\(name).txt") }
        } _: { remote in
            let client = remote.installation.client()
            let document = try await remote.open("open.txt", client: client)
            #expect(try await RemoteInstallation.text(document) == "old")
            try await remote.docent("pin", remote.location("pinned.txt")).succeeded()
            #expect(try await remote.read("idle.txt") == "old")
            try await remote.eventually("the pinned one is here") { try await remote.info("pinned.txt").isDownloaded }
            #expect(try await remote.names() == ["idle.txt", "open.txt", "pinned.txt"])

            for name in ["open", "pinned", "idle", "another"] { try await remote.server.put("newer", "\(name).txt") }
            try await remote.eventually("the lease ends") { try await RemoteInstallation.text(document) == "newer" }
            try await remote.eventually("the pinned one is updated") {
                try await remote.downloads("pinned.txt").count == 2
            }
            try await remote.eventually("the pinned one is current") {
                let item = try await remote.info("pinned.txt")
                return item.isDownloaded && !item.isStale && item.size == 5
            }
            try await remote.eventually("the new one is listed") { try await remote.names().contains("another.txt") }
            #expect(try await remote.info("idle.txt").isStale)
            #expect(try await remote.downloads("idle.txt").count == 1)
            client.close()
        }
    }

    @Test("refresh checks a document, a folder with its contents, or everything at once")
    func refresh() async throws {
        let options = RemoteInstallation.Options(
            isAlwaysFresh: false, environment: ["DOCENT_FRESH_SECONDS": "3600", "DOCENT_POLL_SECONDS": "0"])
        try await RemoteInstallation.with(options: options) { server in
            try await server.makeFolder("folder")
            try await server.makeFolder("folder/deep")
            for name in ["a", "folder/b", "folder/deep/c"] { try await server.put("old", "\(name).txt") }
        } _: { remote in
            #expect(try await remote.names() == ["a.txt", "folder/"])
            #expect(try await remote.names("folder") == ["b.txt", "deep/"])
            for name in ["a", "folder/b", "folder/deep/c"] { #expect(try await remote.read("\(name).txt") == "old") }
            #expect(try await remote.names("folder/deep") == ["c.txt"])
            for name in ["a", "folder/b", "folder/deep/c"] { try await remote.server.put("newer", "\(name).txt") }
            try await remote.server.put("x", "folder/deep/d.txt")
            for name in ["a", "folder/b", "folder/deep/c"] { #expect(try await remote.read("\(name).txt") == "old") }

            let one = try await remote.docent("refresh", remote.location("a.txt")).succeeded()
            #expect(one.text == "changed: 1, deleted: 0\n")
            #expect(try await remote.read("a.txt") == "newer")
            #expect(try await remote.read("folder/b.txt") == "old")
            let below = try await remote.docent("refresh", remote.location("folder")).succeeded()
            #expect(below.text.hasSuffix("deleted: 0\n") && !below.text.hasPrefix("changed: 0"), "\(below.text)")
            #expect(try await remote.read("folder/b.txt") == "newer")
            #expect(try await remote.read("folder/deep/c.txt") == "newer")
            #expect(try await remote.names("folder/deep") == ["c.txt", "d.txt"])
            try await remote.server.delete("folder/deep/d.txt")
            let all = try await remote.docent("refresh").succeeded()
            #expect(all.text.hasSuffix("deleted: 1\n"), "\(all.text)")
            #expect(try await remote.names("folder/deep") == ["c.txt"])
        }
    }
}
