import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The life of an account: what signs in, and a password kept only in memory.
@Suite(.needs(.daemon, .server)) struct RemoteSessionTests {
    private static let password = "hush-7e1quince0b1"
    private static let wrong = "hush-wrong4d20"

    private static func options(
        authentication: String = "basic", environment: [String: String] = [:]
    ) -> RemoteInstallation.Options {
        RemoteInstallation.Options(
            server: .init(username: "ada", password: password, authentication: authentication),
            environment: environment, addsDomain: false)
    }

    private static func add(_ remote: RemoteInstallation, _ arguments: String..., input: String? = nil) async throws
        -> Outcome
    {
        try await remote.docent(
            ["domains", "add", "webdav", "work", "--url", remote.url, "--username", "ada"] + arguments,
            input: input.map { Data($0.utf8) })
    }

    @Test(
        "a wrong password is refused with 4 and adds no account; the right one signs in",
        arguments: Sample.shared.of([(WebDAVServer.Kind.apache, "basic"), (.apache, "digest"), (.rclone, "basic")]))
    func wrongPassword(kind: WebDAVServer.Kind, authentication: String) async throws {
        try await RemoteInstallation.with(kind, options: Self.options(authentication: authentication)) { server in
            try await server.put("content", "a.txt")
        } _: { remote in
            try remote.write(password: Self.wrong)
            let refused = try await Self.add(remote, "--password-file", remote.passwordFile)
            #expect(refused.status == 4, "\(refused)")
            #expect(!refused.errors.contains(Self.wrong), "no password is shown: \(refused.errors)")
            #expect(try await remote.domain() == nil)
            try remote.write(password: Self.password)
            chmod(remote.passwordFile, 0o644)
            #expect(try await Self.add(remote, "--password-file", remote.passwordFile).status == 3)
            chmod(remote.passwordFile, 0o600)
            try await Self.add(remote, "--password-file", remote.passwordFile).succeeded()
            #expect(try await remote.domain()?.state == "ready")
            #expect(try await remote.domain()?.credential == "file \(remote.passwordFile)")
            #expect(try await remote.read("a.txt") == "content")
            try await remote.write("changed", "a.txt").succeeded()
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("a.txt") == "changed")
        }
    }

    @Test(
        "the address of a document is refused as an account's address",
        arguments: Sample.shared.of([WebDAVServer.Kind.apache, .rclone]))
    func documentAddress(kind: WebDAVServer.Kind) async throws {
        try await RemoteInstallation.with(kind, options: Self.options()) { server in
            try await server.put("content", "a.txt")
        } _: { remote in
            let address = remote.url + (remote.url.hasSuffix("/") ? "" : "/") + "a.txt"
            let outcome = try await remote.docent(
                ["login", "webdav@work", "--url", address, "--username", "ada", "--session", "--password-stdin"],
                input: Data((Self.password + "\n").utf8))
            #expect(outcome.status == 64, "\(outcome)")
            #expect(outcome.errors.contains("folder"), "\(outcome.errors)")
            #expect(try await remote.domain() == nil)
        }
    }

    @Test("an account whose service does not answer, or needs a credential, is added only with --unchecked")
    func checked() async throws {
        try await RemoteInstallation.with(options: Self.options()) { server in
            try await server.put("content", "a.txt")
        } _: { remote in
            func add(_ url: String, _ more: String...) async throws -> Outcome {
                try await remote.docent(["domains", "add", "webdav", "work", "--url", url] + more)
            }
            let refused = try await add(remote.url)
            #expect(refused.status == 4 && refused.errors.contains("docent login webdav@work"), "\(refused)")
            let closed = try await add("http://127.0.0.1:9/")
            #expect(closed.status == 5 && closed.errors.contains("127.0.0.1:9"), "\(closed)")
            let blank = try await add("http://127.0.0.1:9/ b c")
            #expect(blank.status != 0, "\(blank)")
            #expect(try await remote.domain() == nil)
            #expect(try await add(remote.url, "--unchecked").succeeded().text.isEmpty)
            #expect(try await remote.domain() != nil)
        }
    }

    @Test("an account of a provider that is not enabled is added, and standard error says that it was not checked")
    func notEnabled() async throws {
        try await RemoteInstallation.with(options: Self.options()) { server in
            try await server.put("content", "a.txt")
        } _: { remote in
            try await remote.docent("provider", "disable", "webdav").succeeded()
            let added = try await remote.docent(["domains", "add", "webdav", "work", "--url", remote.url]).succeeded()
            #expect(added.text.isEmpty && added.errors.contains("its service was not asked"), "\(added)")
            #expect(added.errors.contains("\n  hint: Enable it: docent provider enable "), "\(added)")
            #expect(try await remote.domain() != nil)
        }
    }

    @Test("an account without a credential is added only if the certificate of its server is trusted")
    func untrusted() async throws {
        let options = RemoteInstallation.Options(server: .init(usesTLS: true), addsDomain: false)
        try await RemoteInstallation.with(options: options) { server in
            try await server.put("content", "a.txt")
        } _: { remote in
            let arguments = ["domains", "add", "webdav", "work", "--url", remote.url]
            let refused = try await remote.docent(arguments)
            #expect(refused.status != 0 && refused.errors.contains("--certificate-authority"), "\(refused)")
            #expect(try await remote.domain() == nil)
            let authority = try #require(remote.server.certificateAuthority)
            let added = try await remote.docent(arguments + ["--certificate-authority", authority])
            #expect(try added.succeeded().text.contains("1 item"), "\(added)")
            #expect(try await remote.domain()?.state == "ready")
        }
    }

    @Test("a session password keeps the daemon running, and after a restart the domain says that it waits for one")
    func session() async throws {
        try await RemoteInstallation.with(options: Self.options(environment: ["DOCENT_IDLE_SECONDS": "1"])) { server in
            for name in ["here", "there"] { try await server.put(name, "\(name).txt") }
        } _: { remote in
            try await Self.add(remote, "--session", "--password-stdin", input: "\(Self.password)\n").succeeded()
            #expect(try await remote.names() == ["here.txt", "there.txt"])
            #expect(try await remote.read("here.txt") == "here")
            let daemon = try #require(remote.installation.daemonProcess)
            // There is no event for something that does not happen.
            try await Task.sleep(for: .seconds(3))
            #expect(remote.installation.daemonProcess == daemon)
            let database = try Data(contentsOf: URL(fileURLWithPath: remote.installation.data + "/docent.sqlite"))
            #expect(database.range(of: Data(Self.password.utf8)) == nil)

            try await remote.faults().refuse()
            try await remote.write("mine", "here.txt").succeeded()
            try await remote.docent("daemon", "stop", "--force").succeeded()
            try await remote.faults().accept()
            let shown = try await remote.docent("domains").succeeded().text
            #expect(shown.contains("not authenticated, 1 change waiting"), "\(shown)")
            #expect(try await remote.read("here.txt") == "mine")
            #expect(try await remote.docent("cat", remote.location("there.txt")).status == 4)
            #expect(try await remote.server.text("here.txt") == "here")

            let wrong = try await remote.docent(
                ["domains", "set", "webdav", "work", "--username", "ada", "--session", "--password-stdin"],
                input: Data("wrong\n".utf8))
            #expect(wrong.status == 4, "\(wrong)")
            try await remote.docent(
                ["domains", "set", "webdav", "work", "--username", "ada", "--session", "--password-stdin"],
                input: Data("\(Self.password)\n".utf8)
            ).succeeded()
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("here.txt") == "mine")
            #expect(try await remote.read("there.txt") == "there")
        }
    }

    @Test("a systemd credential signs in, read from its directory")
    func systemd() async throws {
        let folder = "/tmp/docent-credentials-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("\(Self.password)\n".utf8).write(to: URL(fileURLWithPath: folder + "/dav"))
        let options = Self.options(environment: ["CREDENTIALS_DIRECTORY": folder])
        try await RemoteInstallation.with(options: options) { server in
            try await server.put("content", "a.txt")
        } _: { remote in
            #expect(try await Self.add(remote, "--credential", "none").status == 4)
            try await Self.add(remote, "--credential", "dav").succeeded()
            #expect(try await remote.domain()?.credential == "systemd dav")
            #expect(try await remote.read("a.txt") == "content")
            try await remote.restartDaemon()
            try await remote.docent("evict", remote.location("a.txt")).succeeded()
            #expect(try await remote.read("a.txt") == "content")
        }
    }
}
