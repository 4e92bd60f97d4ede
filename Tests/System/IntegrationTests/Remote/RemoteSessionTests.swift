import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The life of an account: signing in, a password that becomes wrong, a password kept only in memory, removal.
@Suite(.needs(.daemon, .server)) struct RemoteSessionTests {
    private static let password = "hush-7e1quince0b1"
    private static let wrong = "hush-wrong4d20"

    private static func options(
        authentication: String = "basic", addsDomain: Bool = false, environment: [String: String] = [:]
    ) -> RemoteInstallation.Options {
        RemoteInstallation.Options(
            server: .init(username: "ada", password: password, authentication: authentication),
            environment: environment,
            addsDomain: addsDomain)
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

    @Test("with a password that became wrong, local work continues and changes wait; once corrected they are sent")
    func corrected() async throws {
        try await RemoteInstallation.with(options: Self.options(addsDomain: true)) { server in
            for name in ["here", "there"] { try await server.put(name, "\(name).txt") }
        } _: { remote in
            #expect(try await remote.names() == ["here.txt", "there.txt"])
            #expect(try await remote.read("here.txt") == "here")
            try remote.write(password: Self.wrong)
            try await remote.restartDaemon()

            #expect(try await remote.docent("cat", remote.location("there.txt")).status == 4)
            #expect(try await remote.read("here.txt") == "here")
            try await remote.write("mine", "here.txt").succeeded()
            #expect(try await remote.read("here.txt") == "mine")
            let shown = try await remote.docent("domains").succeeded().text
            #expect(shown.contains("not authenticated, 1 change waiting"), "\(shown)")
            let drained = try await remote.drain(seconds: 30)
            #expect(drained.status == 5, "\(drained)")
            // Running for a moment whenever the account is asked again.
            try await remote.eventually("it is paused") { try await remote.transfer("here.txt")?.state == "paused" }
            #expect(try await remote.server.text("here.txt") == "here")

            try remote.write(password: Self.password)
            // The next reader signs in with the new password at once, and waiting changes are sent.
            #expect(try await remote.read("there.txt") == "there")
            try await remote.eventually("the change is sent") { try await remote.server.text("here.txt") == "mine" }
            #expect(try await remote.drain().status == 0)
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

    @Test("a domain's name and address can be changed; with a wrong password nothing is changed")
    func set() async throws {
        try await RemoteInstallation.with(options: Self.options(addsDomain: true)) { server in
            try await server.makeFolder("folder")
            try await server.put("above", "a.txt")
            try await server.put("below", "folder/a.txt")
        } _: { remote in
            #expect(try await remote.read("folder/a.txt") == "below")
            try await remote.docent("domains", "set", "webdav", "work", "--display-name", "My work").succeeded()
            #expect(try await remote.domain()?.displayName == "My work")
            let wrong = remote.installation.given + "/wrong"
            try Data("\(Self.wrong)\n".utf8).write(to: URL(fileURLWithPath: wrong))
            chmod(wrong, 0o600)
            let refused = try await remote.docent(
                "domains", "set", "webdav", "work", "--username", "ada", "--password-file", wrong)
            #expect(refused.status == 4, "\(refused)")
            #expect(try await remote.domain()?.credential == "file \(remote.passwordFile)")
            try await remote.docent("evict", remote.location("folder/a.txt")).succeeded()
            #expect(try await remote.read("folder/a.txt") == "below")
        }
    }

    @Test("law 6: a domain with unsent changes is removed only with --force, and they are kept as versions")
    func remove() async throws {
        try await RemoteInstallation.with(options: Self.options(addsDomain: true)) { server in
            try await server.put("old", "a.txt")
        } _: { remote in
            #expect(try await remote.read("a.txt") == "old")
            try await remote.faults().add(.hold().on("PUT").always)
            try await remote.write("mine", "a.txt").succeeded()
            let source = try remote.installation.makeSource("new", name: "new.txt")
            try await remote.docent("export", source, remote.location("")).succeeded()
            let refused = try await remote.docent("domains", "remove", "webdav", "work")
            #expect(refused.status == 6, "\(refused)")
            #expect(try await remote.read("a.txt") == "mine")
            try await remote.docent("domains", "remove", "--force", "--yes", "webdav", "work").succeeded()
            #expect(try await remote.domain() == nil)
            let versions = try await remote.versions().sorted { $0.name < $1.name }
            #expect(versions.map(\.name) == ["a.txt", "new.txt"])
            #expect(versions.allSatisfy { $0.reason == "unsent" })
            for (version, text) in zip(versions, ["mine", "new"]) {
                #expect(try await remote.docent("versions", "show", version.identifier).succeeded().text == text)
            }
            #expect(remote.localFiles("a.txt").isEmpty && remote.localFiles("new.txt").isEmpty)
            #expect(try await remote.transfers().isEmpty)
            #expect(try await remote.installation.status().pendingOperations == 0)
            #expect(try await remote.server.text("a.txt") == "old")
            // A new domain with the same name has no data of the old one.
            try await remote.faults().reset()
            try await remote.addDomain().succeeded()
            #expect(try await remote.read("a.txt") == "old")
            #expect(try await remote.names() == ["a.txt"])
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("a.txt") == "old")
        }
    }
}
