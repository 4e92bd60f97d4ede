import DocentTestSupport
import Foundation
import Glibc
import Testing

/// A cut download resumes: local bytes are not fetched again.
@Suite(.needs(.daemon, .server)) struct DownloadResumeTests {
    /// The process that ends during a download.
    enum Victim: String, CaseIterable, Sendable {
        case connection, daemon, provider, server
    }

    private static let half = 3 << 20
    private static let size = 6 << 20

    // Bytes that encode their own position.
    private static let content = Data((0..<size / 8).map { String(format: "%07d\n", $0) }.joined().utf8)

    @Test("after a cut or kill -9 only the rest of the same version is requested", arguments: Victim.allCases)
    func resume(_ victim: Victim) async throws {
        try await RemoteInstallation.with(.apache) { server in
            try await server.put(Self.content, "a.bin")
            try await server.agree("a.bin")
        } _: { remote in
            let proxy = try #require(remote.proxy)
            try await remote.docent("ls", remote.location("")).succeeded()
            try await proxy.reset()
            let rule = FaultRule.hang(.responseBody, after: Self.half).on("GET", "a.bin")
            try await proxy.add(victim == .connection ? .cutResponse(after: Self.half).on("GET", "a.bin") : rule)
            async let first = remote.docent("cat", remote.location("a.bin"))
            if victim != .connection {
                try await remote.installation.eventually("half of it is recorded", within: 60) {
                    try await Self.recorded(remote.installation) >= Self.half - (1 << 20)
                }
                try await Self.strike(victim, remote)
            }
            var outcome = try await first
            // A request while the domain is known to be offline fails at once, until the daemon has asked the server
            // again.
            try await remote.installation.eventually("the document is read") {
                if outcome.status != 0 { outcome = try await remote.docent("cat", remote.location("a.bin")) }
                return outcome.status == 0
            }
            #expect(difference(outcome.output, from: Self.content) == nil, "the content is whole")
            let gets = try await proxy.requests("GET")
            let resumed = try #require(gets.first { $0.range != nil }, "\(gets.map { $0.range ?? "all" })")
            #expect(resumed.ifRange != nil, "the version is checked")
            #expect(resumed.status == 206)
            #expect(resumed.responseBytes < Self.size, "bytes are not fetched twice")
        }
    }

    @Test("a document that changed while its download was cut is fetched completely in its new version")
    func changed() async throws {
        try await RemoteInstallation.with(.apache) { server in
            try await server.put(Self.content, "a.bin")
            try await server.agree("a.bin")
        } _: { remote in
            let proxy = try #require(remote.proxy)
            try await remote.docent("ls", remote.location("")).succeeded()
            try await proxy.add(.cutResponse(after: Self.half).on("GET", "a.bin"))
            try await proxy.add(.hold().on("GET", "a.bin").having("Range"))
            async let reading = remote.docent("cat", remote.location("a.bin"))
            _ = try await proxy.request("the rest") { $0.method == "GET" && $0.range != nil }
            let other = Data(Self.content.reversed())
            try await remote.server.put(other, "a.bin")
            try await proxy.release()
            let outcome = try await reading
            #expect(difference(outcome.output, from: other) == nil, "nothing is mixed: \(outcome.errors)")
        }
    }

    // What a later daemon may count on: the file grows before that is recorded.
    private static func recorded(_ installation: Installation) async throws -> Int {
        let program = """
            import sqlite3, sys
            rows = sqlite3.connect(sys.argv[1]).execute("SELECT max(completed) FROM partial_download").fetchone()
            print(rows[0] or 0)
            """
        return try await installation.run(
            "/usr/bin/env", ["python3", "-c", program, installation.data + "/docent.sqlite"]
        ).succeeded().json(Int.self)
    }

    private static func strike(_ victim: Victim, _ remote: RemoteInstallation) async throws {
        switch victim {
        case .connection: break
        case .daemon: try await remote.killDaemon()
        case .provider: try remote.installation.killProviders()
        case .server:
            try await remote.server.kill()
            try await remote.server.restart()
            try await remote.proxy?.cut()
        }
    }
}

extension WebDAVServer {
    /// Waits until Apache sends the document's version without `W/`: before that it does not resume a part of it.
    func agree(_ path: String) async throws {
        let deadline = Date().addingTimeInterval(60)
        while try await request("HEAD", path).headers["etag"]?.hasPrefix("W/") == true {
            guard Date() < deadline else { throw Problem("the version of \(path) stays weak") }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
