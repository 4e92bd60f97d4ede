import DocentTestSupport
import Foundation
import Testing

/// Bytes corrupted by the network. A listing detects this; content does where the server provides digests
/// (docs/webdav.md).
@Suite(.needs(.daemon, .server)) struct CorruptTests {
    @Test(
        "HAZARDS 3: a corrupted listing is ignored: nothing is removed, and the next listing counts",
        arguments: [0, 40])
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

    private static let digests = RemoteInstallation.Options(server: WebDAVServer.Options(tellsDigests: true))

    @Test("HAZARDS 21: content damaged in transit is fetched again and never shown, if the server provides digests")
    func download() async throws {
        let content = String(repeating: "content ", count: 30_000)
        try await RemoteInstallation.with(.apache, options: Self.digests) { server in
            try await server.put(content, "once.txt")
            try await server.put(content, "always.txt")
        } _: { remote in
            let proxy = try #require(remote.proxy)
            try await proxy.add(.corrupt(at: 100_000).on("GET", "/once.txt").named("once"))
            try await proxy.add(.corrupt(at: 100_000).on("GET", "/always.txt").always)
            #expect(try await remote.read("once.txt") == content)
            #expect(try await proxy.requests("GET").count { $0.path.hasSuffix("/once.txt") } > 1)
            let always = try await remote.docent("cat", remote.location("always.txt"))
            #expect(always.status != 0 && always.text.isEmpty)
            #expect(always.errors.contains("digest"), "\(always.errors)")
            try await proxy.reset()
            try await remote.reachable()
            #expect(try await remote.read("always.txt") == content)
        }
    }

    @Test("HAZARDS 21: a resumed download that was damaged before the cut is fetched again from the start")
    func resumed() async throws {
        let content = (0..<(3 << 17)).map { "\(1_000_000 + $0)" }.joined(separator: "\n")
        try await RemoteInstallation.with(.apache, options: Self.digests) { server in
            try await server.put(content, "a.txt")
            try await server.agree("a.txt")
        } _: { remote in
            let proxy = try #require(remote.proxy)
            try await proxy.add(.corrupt(at: 100_000).on("GET", "/a.txt"))
            try await proxy.add(.cutResponse(after: 2 << 20).on("GET", "/a.txt"))
            var read = try await remote.docent("cat", remote.location("a.txt"))
            if read.status != 0 { read = try await remote.docent("cat", remote.location("a.txt")) }
            #expect(read.text == content, "\(read.errors)")
            let gets = try await proxy.requests("GET").filter { $0.path.hasSuffix("/a.txt") }
            #expect(gets.map { $0.range != nil } == [false, true, false])
        }
    }

    @Test("W9: content damaged during upload never replaces the document, if the server provides digests")
    func upload() async throws {
        let (old, new) = ("the old content", String(repeating: "new ", count: 30_000))
        try await RemoteInstallation.with(.apache, options: Self.digests) { server in
            try await server.put(old, "a.txt")
        } _: { remote in
            let proxy = try #require(remote.proxy)
            #expect(try await remote.read("a.txt") == old)
            try await proxy.add(.corrupt(at: 50_000, stage: .request).on("PUT").always)
            try await remote.write(new, "a.txt").succeeded()
            try await remote.installation.eventually("it was sent damaged", within: 60) {
                try await proxy.requests("PUT").count > 1
            }
            #expect(try await remote.server.text("a.txt") == old)
            try await proxy.reset()
            try await remote.docent("transfers", "retry").succeeded()
            try await remote.docent("drain", "--timeout", "60").succeeded()
            #expect(try await remote.server.text("a.txt") == new)
        }
    }
}
