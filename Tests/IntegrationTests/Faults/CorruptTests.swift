import Foundation
import Testing

/// Bytes that the network changed. A listing shows it; content does not, for plain WebDAV has no digest (docs/webdav.md).
@Suite struct CorruptTests {
    @Test("HAZARDS 3: a corrupted listing is none: nothing is removed, and the next one counts", arguments: [0, 40])
    func listing(offset: Int) async throws {
        let names = ["a.txt", "b.txt", "c.txt"]
        try await RemoteInstallation.with(.apache) { server in
            for name in names { try await server.put("content of \(name)", name) }
        } _: { remote in
            let proxy = try #require(remote.proxy)
            let list = { try await remote.docent("ls", remote.location("")).succeeded().text }
            let all = names.joined(separator: "\n") + "\n"
            #expect(try await list() == all)
            #expect(try await remote.read("a.txt") == "content of a.txt")
            try await proxy.add(.corrupt(at: offset).on("PROPFIND").always)
            #expect(try await list() == all)
            #expect(try await remote.read("a.txt") == "content of a.txt")
            try await proxy.clearRules()
            try await remote.server.delete("b.txt")
            try await remote.installation.eventually("the next listing counts", within: 60) {
                try await list() == "a.txt\nc.txt\n"
            }
        }
    }
}
