import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// Which local copies stay and which are evicted (E7, O1, O2).
@Suite(.needs(.daemon, .server)) struct RemoteKeepingTests {
    private static func content(_ name: String) -> Data { Data(repeating: UInt8(name.utf8.first ?? 0), count: 100_000) }

    private static func put(_ names: [String], _ server: WebDAVServer) async throws {
        for name in names { try await server.put(content(name), name) }
    }

    private static func isHere(_ name: String, _ remote: RemoteInstallation) async throws -> Bool {
        let isDownloaded = try await remote.info(name).isDownloaded
        #expect(remote.localFiles(name).isEmpty == !isDownloaded)
        return isDownloaded
    }

    @Test("E7: pin fetches and keeps a copy, evict is refused meanwhile; unpin releases it and leaves a placeholder")
    func pin() async throws {
        try await RemoteInstallation.with { server in
            try await server.makeFolder("folder")
            try await Self.put(["folder/a", "folder/b", "c"], server)
        } _: { remote in
            #expect(try await remote.docent("pin", remote.location("folder")).succeeded().text == "kept here: 2\n")
            try await remote.eventually("both copies are local") {
                let items = try await [remote.info("folder/a"), remote.info("folder/b")]
                return items.allSatisfy { $0.isPinned && $0.isDownloaded }
            }
            #expect(!(try await remote.info("c").isDownloaded))
            let refused = try await remote.docent("evict", remote.location("folder/a"))
            #expect(refused.status == 6, "\(refused)")
            #expect(refused.errors.contains("docent unpin"))
            let skipped = try await remote.docent("evict", remote.location("")).succeeded()
            #expect(skipped.text.hasPrefix("removed: 0"), "\(skipped.text)")
            // Also after a restart.
            try await remote.restartDaemon()
            #expect(try await remote.info("folder/a").isPinned)

            try await remote.docent("unpin", remote.location("folder/a")).succeeded()
            #expect(try await remote.info("folder/a").isDownloaded)
            let removed = try await remote.docent("evict", remote.location("")).succeeded()
            #expect(removed.text.hasPrefix("removed: 1,"), "\(removed.text)")
            #expect(!(try await remote.info("folder/a").isDownloaded))
            #expect(try await remote.info("folder/b").isDownloaded)
            #expect(remote.localFiles(RemoteInstallation.placeholder("a")).count == 1)
            #expect(try await remote.domain()?.localBytes == 100_000)
        }
    }

    @Test("O1: the least recently used copy is evicted for the quota, and leaves a placeholder")
    func quota() async throws {
        let options = RemoteInstallation.Options(settings: ["quotaBytes=250000"])
        try await RemoteInstallation.with(options: options) { server in
            try await Self.put(["a", "b", "c"], server)
            try await server.put(Data(count: 300_000), "large")
        } _: { remote in
            for name in ["a", "b", "a", "c"] {
                let output = try await remote.docent("cat", remote.location(name)).succeeded().output
                #expect(difference(output, from: Self.content(name)) == nil)
            }
            #expect(try await Self.isHere("a", remote))
            #expect(try await !Self.isHere("b", remote))
            #expect(try await Self.isHere("c", remote))
            #expect(remote.localFiles(RemoteInstallation.placeholder("b")).count == 1)
            let bytes = try #require(try await remote.domain()?.localBytes)
            #expect(bytes <= 250_000)
            // A document that can never fit evicts no other.
            let large = try await remote.docent("cat", remote.location("large"))
            #expect(large.status == 1, "\(large)")
            #expect(large.errors.contains("quotaBytes"), "\(large.errors)")
            #expect(try await remote.downloads("large").isEmpty)
            #expect(try await Self.isHere("a", remote))
            #expect(try await Self.isHere("c", remote))
            try await remote.docent("domains", "set", "webdav", "work", "--set", "quotaBytes=").succeeded()
            try await remote.docent("cat", remote.location("large")).succeeded()
            #expect(try await Self.isHere("a", remote))
            #expect(try await Self.isHere("c", remote))
        }
    }

    @Test("O2, law 6: an open, pinned or unsent document is never evicted, neither for the quota nor by evict")
    func neverGivesWay() async throws {
        let options = RemoteInstallation.Options(settings: ["quotaBytes=350000"])
        try await RemoteInstallation.with(options: options) { server in
            try await Self.put(["open", "pinned", "unsent", "other"], server)
        } _: { remote in
            let client = remote.installation.client()
            let document = try await remote.open("open", client: client)
            close(try await document.openForReading())
            try await remote.docent("pin", remote.location("pinned")).succeeded()
            try await remote.eventually("the pinned one is here") { try await remote.info("pinned").isDownloaded }
            try await remote.faults().add(.hold().on("PUT").always)
            try await remote.docent("write", remote.location("unsent"), input: Self.content("mine")).succeeded()

            let full = try await remote.docent("cat", remote.location("other"))
            #expect(full.status == 1, "\(full)")
            #expect(try await remote.downloads("other").isEmpty)
            for (name, word) in [("open", "open"), ("pinned", "pinned"), ("unsent", "not been uploaded")] {
                let refused = try await remote.docent("evict", remote.location(name))
                #expect(refused.status == 6 && refused.errors.contains(word), "\(refused)")
                #expect(try await Self.isHere(name, remote))
            }
            #expect(try await remote.docent("evict", remote.location("")).succeeded().text.hasPrefix("removed: 0"))

            document.stopAccessing()
            try await remote.eventually("the closed one is evicted") {
                try await remote.docent("cat", remote.location("other")).status == 0
            }
            #expect(try await !Self.isHere("open", remote))
            #expect(try await Self.isHere("pinned", remote))
            #expect(try await Self.isHere("unsent", remote))
            try await remote.faults().clearRules()
            try await remote.faults().release()
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.get("unsent") == Self.content("mine"))
            try await remote.docent("evict", remote.location("unsent")).succeeded()
            client.close()
        }
    }

    @Test("with less free disk space than required, nothing is fetched and nothing is damaged")
    func minimumFree() async throws {
        let options = RemoteInstallation.Options(environment: ["DOCENT_MINIMUM_FREE_BYTES": "\(Int64.max / 2)"])
        try await RemoteInstallation.with(options: options) { server in
            try await Self.put(["a"], server)
        } _: { remote in
            let refused = try await remote.docent("cat", remote.location("a"))
            #expect(refused.status == 1, "\(refused)")
            #expect(refused.errors.contains("free"), "\(refused.errors)")
            #expect(try await remote.downloads("a").isEmpty)
            #expect(try await remote.info("a").size == 100_000)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: remote.installation.data + "/Downloads").isEmpty)
            try await remote.restartDaemon(environment: ["DOCENT_MINIMUM_FREE_BYTES": "0"])
            try await remote.docent("cat", remote.location("a")).succeeded()
        }
    }
}
