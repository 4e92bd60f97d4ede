import DocentTestSupport
import Foundation
import Glibc
import Testing

@testable import Keyring

/// libsecret's encrypted file, accessed with the program `docent-keyring-file`.
@Suite(.needs(.keyring, within: .seconds(300)))
struct EncryptedFileTests {
    private let folder = TemporaryFolder("encrypted")
    private let key = CredentialKey(
        accessGroup: "org.example/domain", provider: "org.example", domain: "", account: "ada")
    private static let password = "hush-master-3b9e5f10"
    private var path: String { folder.path + "/credentials.keyring" }

    /// Next to the tests, as a debug build and `make install` place it next to the daemon.
    private static let program: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folders = [
            ProcessInfo.processInfo.environment["DOCENT_TEST_BINARIES"],
            URL(filePath: own).deletingLastPathComponent().path,
            Bundle.main.bundlePath, URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path,
        ].compactMap(\.self)
        let found = folders.first { access($0 + "/docent-keyring-file", X_OK) == 0 } ?? folders.last ?? ""
        return found + "/docent-keyring-file"
    }()

    private func ladder(password: String? = Self.password, deadline: Duration = .seconds(60)) throws -> CredentialLadder
    {
        var environment = ["DOCENT_KEYRING_FILE_PROGRAM": Self.program]
        if let password {
            environment["DOCENT_KEYRING_PASSWORD_FILE"] = try folder.write(password + "\n", to: "password")
        }
        return CredentialLadder(environment: environment, dataDirectory: folder.path, deadline: deadline)
    }

    private func content() throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    @Test("a secret is returned as stored, whatever its bytes", arguments: nastySecrets)
    func roundTrip(bytes: [UInt8]) async throws {
        let ladder = try ladder()
        #expect(await ladder.state(of: .encryptedFile) == .usable)
        #expect(try await ladder.secret(for: key, on: .encryptedFile) == nil)
        #expect(try await ladder.delete(CredentialQuery(key), on: .encryptedFile) == false)
        try await ladder.store(Secret("hush-old-b1f7"), for: key, label: "Docent: ada", on: .encryptedFile)
        try await ladder.store(Secret(bytes), for: key, label: "Docent: ada", on: .encryptedFile)
        #expect(try await ladder.secret(for: key, on: .encryptedFile) == Secret(bytes))
        #expect(try await ladder.list(CredentialQuery(), on: .encryptedFile) == [key])
        #expect(try await ladder.delete(CredentialQuery(provider: "org.example"), on: .encryptedFile))
        #expect(try await ladder.secret(for: key, on: .encryptedFile) == nil)
        #expect(try await ladder.list(CredentialQuery(), on: .encryptedFile) == [])
    }

    @Test("keys that differ in one part are different secrets, and a query returns those that match it")
    func attributes() async throws {
        let ladder = try ladder()
        let keys: Set<CredentialKey> = [
            key, CredentialKey(accessGroup: "other", provider: "org.example", account: "ada"),
            CredentialKey(accessGroup: "org.example/domain", provider: "org.example", domain: "work", account: "ada"),
            CredentialKey(accessGroup: "org.example/domain", provider: "org.example", account: "ådå"),
        ]
        for key in keys { try await ladder.store(Secret("hush-\(key)"), for: key, label: "label", on: .encryptedFile) }
        for key in keys { #expect(try await ladder.secret(for: key, on: .encryptedFile) == Secret("hush-\(key)")) }
        #expect(Set(try await ladder.list(CredentialQuery(), on: .encryptedFile)) == keys)
        #expect(try await ladder.delete(CredentialQuery(domain: ""), on: .encryptedFile))
        #expect(try await ladder.list(CredentialQuery(), on: .encryptedFile) == keys.filter { $0.domain == "work" })
        let zero = CredentialKey(accessGroup: "g", provider: "p", account: "ada\u{0}x")
        await #expect(throws: KeyringError.invalidKey("ada\u{0}x")) {
            try await ladder.store(Secret("x"), for: zero, label: "", on: .encryptedFile)
        }
    }

    @Test("the file is private, has no backup, and contains neither the secret nor its names")
    func hidden() async throws {
        let ladder = try ladder()
        for secret in ["hush-20dd81e6", "hush-20dd81e7"] {
            try await ladder.store(Secret(secret), for: key, label: "Docent: ada", on: .encryptedFile)
        }
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600)
        for text in ["hush-20dd81e6", "hush-20dd81e7", "org.example", Self.password] {
            #expect(try content().range(of: Data(text.utf8)) == nil)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(files) == ["credentials.keyring", "credentials.keyring.lock", "password"], "\(files)")
    }

    @Test("a wrong master password is distinguished from an empty file, and nothing is written with it")
    func wrongPassword() async throws {
        try await ladder().store(Secret("hush-8c7702d5"), for: key, label: "", on: .encryptedFile)
        let before = try content()
        let wrong = try ladder(password: "hush-wrong-0000")
        guard case .absent(let why) = await wrong.state(of: .encryptedFile) else {
            Issue.record("a wrong password is usable")
            return
        }
        #expect(why.contains("does not open"))
        let key = key
        for call: @Sendable () async throws -> Void in [
            { _ = try await wrong.secret(for: key, on: .encryptedFile) },
            { try await wrong.store(Secret("x"), for: key, label: "", on: .encryptedFile) },
            { _ = try await wrong.delete(CredentialQuery(), on: .encryptedFile) },
            { _ = try await wrong.list(CredentialQuery(), on: .encryptedFile) },
        ] {
            let error = await #expect(throws: KeyringError.self) { try await call() }
            if case .unavailable = error {} else { Issue.record("\(String(describing: error))") }
        }
        #expect(try content() == before)
        #expect(try await ladder().secret(for: key, on: .encryptedFile) == Secret("hush-8c7702d5"))
    }

    @Test("without a master password, or with one that others can read, the rung is unavailable with the reason")
    func noPassword() async throws {
        guard case .absent(let why) = await (try ladder(password: nil)).state(of: .encryptedFile) else {
            Issue.record("usable without a password")
            return
        }
        #expect(why.contains("master password"))
        let open = try ladder()
        chmod(folder.path + "/password", 0o640)
        guard case .absent(let reason) = await open.state(of: .encryptedFile) else {
            Issue.record("usable with an open password")
            return
        }
        #expect(reason.contains("chmod 600"))
        unlink(folder.path + "/password")
        await #expect(throws: KeyringError.self) { try await open.secret(for: key, on: .encryptedFile) }
    }

    @Test("the master password may be the systemd credential docent.keyring-password")
    func systemdPassword() async throws {
        _ = try folder.write(Self.password, to: "docent.keyring-password", mode: 0o400)
        let ladder = CredentialLadder(
            environment: ["CREDENTIALS_DIRECTORY": folder.path, "DOCENT_KEYRING_FILE_PROGRAM": Self.program],
            dataDirectory: folder.path, deadline: .seconds(60))
        try await ladder.store(Secret("hush-66a0be12"), for: key, label: "", on: .encryptedFile)
        #expect(try await self.ladder().secret(for: key, on: .encryptedFile) == Secret("hush-66a0be12"))
        #expect(
            await ladder.state(of: .systemd)
                == .absent("the service manager gave the daemon no credential named docent.PROVIDER.DOMAIN"))
    }

    @Test("a damaged file is reported and left unchanged, and ends no process")
    func damaged() async throws {
        let ladder = try ladder()
        try await ladder.store(Secret("hush-e40b1a77"), for: key, label: "", on: .encryptedFile)
        let whole = try content()
        var spoilt = [
            Data(), Data(whole.prefix(10)), Data(whole.prefix(40)), Data(whole.prefix(90)),
            Data(repeating: 7, count: 500),
        ]
        // Header, version, the salt's length, the salt, an item.
        for index in [3, 17, 19, 30, whole.count - 40] {
            var copy = whole
            copy[index] ^= 0x55
            spoilt.append(copy)
        }
        for copy in spoilt {
            try copy.write(to: URL(filePath: path))
            chmod(path, 0o600)
            await #expect(throws: KeyringError.self) { try await ladder.secret(for: key, on: .encryptedFile) }
            await #expect(throws: KeyringError.self) {
                try await ladder.store(Secret("x"), for: key, label: "", on: .encryptedFile)
            }
            #expect(try content() == copy)
        }
        try whole.write(to: URL(filePath: path))
        #expect(try await ladder.secret(for: key, on: .encryptedFile) == Secret("hush-e40b1a77"))
    }

    @Test("two daemons that write at once lose none of each other's secrets")
    func atOnce() async throws {
        let ladders = try (0..<4).map { _ in try ladder() }
        let keys = (0..<16).map { CredentialKey(accessGroup: "g", provider: "p", domain: "d", account: "a\($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, key) in keys.enumerated() {
                group.addTask {
                    try await ladders[index % 4].store(
                        Secret("hush-\(index)-19ee"), for: key, label: "", on: .encryptedFile)
                }
            }
            try await group.waitForAll()
        }
        #expect(Set(try await ladders[0].list(CredentialQuery(), on: .encryptedFile)) == Set(keys))
    }

    @Test(
        "Law 5: a lock that another process holds delays no longer than the deadline; meanwhile /proc shows no password"
    )
    func lock() async throws {
        try await ladder().store(Secret("hush-3d6f7a80"), for: key, label: "", on: .encryptedFile)
        let file = open(path + ".lock", O_RDWR | O_CLOEXEC)
        try #require(file >= 0 && flock(file, LOCK_EX) == 0)
        let impatient = try ladder(deadline: .seconds(3))
        let key = key
        let call = Task { _ = try await impatient.secret(for: key, on: .encryptedFile) }
        var shown = Data()
        for _ in 0..<400 where shown.isEmpty {
            try await Task.sleep(for: .milliseconds(5))
            for process in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int32(process) != nil {
                let command = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
                guard command.starts(with: Data(Self.program.utf8)) else { continue }
                shown += command + (FileManager.default.contents(atPath: "/proc/\(process)/environ") ?? Data())
            }
        }
        #expect(!shown.isEmpty, "the program was never found")
        #expect(shown.range(of: Data(Self.password.utf8)) == nil)
        await #expect(throws: KeyringError.timedOut) { try await call.value }
        close(file)
        #expect(try await ladder().secret(for: key, on: .encryptedFile) == Secret("hush-3d6f7a80"))
    }

    @Test(
        "secret-tool reads our secrets there, given the same file and password",
        .enabled(if: KeyringSession.hasTool, "secret-tool is not installed"))
    func secretTool() async throws {
        try await ladder().store(Secret("hush-94e1c0fb"), for: key, label: "Docent: ada", on: .encryptedFile)
        let outcome = try Outcome.runBlocking(
            "/usr/bin/secret-tool", ["lookup", "provider", "org.example", "account", "ada"],
            environment: [
                "SECRET_BACKEND": "file", "SECRET_FILE_TEST_PATH": path, "SECRET_FILE_TEST_PASSWORD": Self.password,
            ])
        #expect(outcome.status == 0 && outcome.text == "hush-94e1c0fb", "\(outcome.errors)")
    }

    @Test("A missing program is reported by name")
    func missingProgram() async throws {
        let path = try folder.write(Self.password, to: "password")
        let ladder = CredentialLadder(
            environment: ["DOCENT_KEYRING_FILE_PROGRAM": "/nonexistent/program", "DOCENT_KEYRING_PASSWORD_FILE": path],
            dataDirectory: folder.path, deadline: .seconds(60))
        guard case .absent(let why) = await ladder.state(of: .encryptedFile) else {
            Issue.record("usable without its program")
            return
        }
        #expect(why.contains("/nonexistent/program"))
    }
}
