import DocentTestSupport
import Foundation
import Glibc
import Testing

/// An upload resumes where the server supports it: with the imitation of a Nextcloud in Tests/Servers.
@Suite(.needs(.daemon, .server)) struct UploadResumeTests {
    private static let piece = 256 << 10
    private static let content = Data((0..<(6 * piece / 8)).map { String(format: "%07d\n", $0) }.joined().utf8)

    @Test(
        "after kill -9 of daemon or provider the uploaded chunks are not sent again",
        arguments: [true, false])
    func resume(killsDaemon: Bool) async throws {
        try await Self.with { installation, proxy in
            try await proxy.add(.hang(.requestBody, after: 1_000).on("PUT", "/uploads/").from(4))
            let source = installation.home + "/large.bin"
            try Self.content.write(to: URL(fileURLWithPath: source))
            try await installation.docent("export", source, "webdav@work:/").succeeded()
            let early = try await Self.pieces(proxy) { $0.count >= 4 }
            #expect(early.count == 4)
            if killsDaemon {
                if let daemon = installation.daemonProcess { kill(daemon, SIGKILL) }
            } else {
                try installation.killProviders()
            }
            try await installation.docent("drain", "--timeout", "100").succeeded()
            let all = try await Self.pieces(proxy) { _ in true }
            let whole = Dictionary(grouping: all.filter { $0.status.map { $0 < 300 } ?? false }, by: \.path)
            #expect(whole.count == 6)
            #expect(whole.values.allSatisfy { $0.count == 1 }, "no chunk is sent twice")
            let read = try await TestServers.curl([], proxy.url + "large.bin")
            #expect(difference(read.body, from: Self.content) == nil)
            #expect(try await installation.docent("ls", "webdav@work:/").succeeded().text == "large.bin\n")
        }
    }

    private static func pieces(
        _ proxy: FaultProxy, until condition: ([FaultProxy.Request]) -> Bool
    ) async throws -> [FaultProxy.Request] {
        let deadline = Date().addingTimeInterval(60)
        while true {
            let seen = try await proxy.requests("PUT").filter { $0.path.contains("/uploads/") }
            if condition(seen) { return seen }
            guard Date() < deadline else { throw Problem("only \(seen.count) chunks") }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private static func with(_ body: (Installation, FaultProxy) async throws -> Void) async throws {
        let script = Repository.servers + "/nextcloud.py"
        let started = try await TestServers.run("/usr/bin/python3", [script, "--parent", "\(getpid())"]).succeeded()
        let url = try #require(TestServers.fields(started.text)["url"])
        try await FaultProxy.with(url) { proxy in
            try await Installation.with(localFolder: false) { installation in
                for point in ["FileProvider", "Picker"] {
                    let name = "\(RemoteInstallation.provider).\(point).plist"
                    try FileManager.default.copyItem(
                        atPath: "\(Repository.root)/manifests/\(name)", toPath: "\(installation.manifests)/\(name)"
                    )
                }
                try await installation.docent("provider", "enable", RemoteInstallation.provider, "--yes").succeeded()
                try await installation.docent(
                    "domains", "add", "webdav", "work", "--url", proxy.url, "--set", "chunkSizeBytes=\(piece)"
                ).succeeded()
                try await body(installation, proxy)
            }
        }
    }
}
