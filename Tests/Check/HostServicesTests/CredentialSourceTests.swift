import DocentInterfaces
import Foundation
import Glibc
import Keyring
import Rights
import Testing

@testable import ExtensionHosting
@testable import HostCore
@testable import HostServices
@testable import RemoteDocuments

/// Where secrets come from; they go nowhere else.
@Suite final class CredentialSourceTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/credential-" + UUID().uuidString
    private let domain = DomainKey(provider: "p", domain: "d")
    private static let secret = "hush-7d21fe08 with spaces "

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func file(_ bytes: [UInt8], mode: mode_t = 0o600, name: String = "secret") throws -> String {
        let path = folder + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        try #require(chmod(path, mode) == 0)
        return path
    }

    private func read(_ path: String) async throws -> String? {
        try await CredentialSource(environment: [:]).secret(
            CredentialReference(kind: .password, source: .file, username: "u", path: path), for: domain
        ).text
    }

    @Test(
        "the secret is the first line of a private file, without its line break",
        arguments: [secret, secret + "\n", secret + "\r\n", secret + "\nsecond line", secret + "\n\0"])
    func firstLine(_ text: String) async throws {
        #expect(try await read(file(Array(text.utf8))) == Self.secret)
    }

    @Test("the file is read again each time")
    func readAgain() async throws {
        #expect(try await read(file(Array("one".utf8))) == "one")
        #expect(try await read(file(Array("two".utf8))) == "two")
    }

    @Test(
        "a file that others can read or write is refused, and the error names the remedy",
        arguments: [0o640, 0o604, 0o620, 0o602, 0o777])
    func modes(_ mode: Int) async throws {
        let path = try file(Array(Self.secret.utf8), mode: mode_t(mode))
        let failure = await #expect(throws: Failure.self) { try await read(path) }
        #expect(failure?.code == .notAuthenticated)
        #expect(failure?.suggestion?.contains("chmod 600") == true)
        #expect(failure.map { !"\($0)".contains(Self.secret) } == true)
    }

    @Test(
        "a file without a valid password is refused",
        arguments: [
            ([], 1), (Array("\nsecond".utf8), 1), ([0x61, 0, 0x62], 1), ([0xff, 0xfe], 1), ([0x61], 65 * 1024),
        ])
    func content(_ bytes: [UInt8], _ count: Int) async throws {
        let path = try file(Array(repeatElement(bytes, count: count).joined()))
        await #expect(throws: Failure.self) { try await read(path) }
    }

    @Test("a path that is no regular file is refused and does not block")
    func kinds() async throws {
        await #expect(throws: Failure.self) { try await read(folder) }
        await #expect(throws: Failure.self) { try await read(folder + "/missing") }
        await #expect(throws: Failure.self) { try await read("relative") }
        await #expect(throws: Failure.self) { try await read("/dev/zero") }
        try #require(mkfifo(folder + "/fifo", 0o600) == 0)
        await #expect(throws: Failure.self) { try await read(folder + "/fifo") }
    }

    @Test("systemd credentials are found by name, and a name cannot lead out of their directory")
    func systemd() async throws {
        _ = try file(Array(Self.secret.utf8), mode: 0o440, name: "cloud")
        let source = CredentialSource(environment: ["CREDENTIALS_DIRECTORY": folder + "/sub"])
        try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: true)
        _ = try file(Array(Self.secret.utf8), mode: 0o440, name: "sub/cloud")
        func read(_ source: CredentialSource, _ name: String) async throws -> String? {
            try await source.secret(CredentialReference(kind: .token, source: .systemd, name: name), for: domain).text
        }
        #expect(try await read(source, "cloud") == Self.secret)
        for name in ["", ".", "..", "../cloud", "/etc/passwd", "missing"] {
            await #expect(throws: Failure.self) { try await read(source, name) }
        }
        await #expect(throws: Failure.self) { try await read(CredentialSource(environment: [:]), "cloud") }
    }

    @Test("a session secret stays in memory, and keeps the daemon running")
    func session() async throws {
        let source = CredentialSource(environment: [:])
        let reference = CredentialReference(kind: .password, source: .session, username: "u")
        #expect(!source.holdsSecrets)
        let failure = await #expect(throws: Failure.self) { try await source.secret(reference, for: domain) }
        #expect(failure?.code == .notAuthenticated)
        source.remember(Secret("s"), for: domain)
        #expect(source.holdsSecrets)
        #expect(try await source.secret(reference, for: domain).text == "s")
        await #expect(throws: Failure.self) {
            try await source.secret(reference, for: DomainKey(provider: "p", domain: "other"))
        }
        source.remember(nil, for: domain)
        #expect(!source.holdsSecrets)
    }

    @Test("the database record contains no secret")
    func reference() throws {
        let given = Wire.Credential(kind: "password", source: "session", username: "u", secret: Self.secret)
        let (reference, secret) = try DomainCredential.reference(given)
        #expect(secret?.text == Self.secret)
        let stored = String(decoding: try JSONEncoder().encode(reference), as: UTF8.self)
        #expect(!stored.contains("hush-7d21fe08"))
        #expect(reference?.shown == "session")
        #expect(try DomainCredential.reference(nil).reference == nil)
    }

    @Test(
        "an invalid credential is refused, and the error does not repeat the secret",
        arguments: [
            Wire.Credential(kind: "key", source: "session", username: "u", secret: secret),
            Wire.Credential(kind: "password", source: "air", username: "u", secret: secret),
            Wire.Credential(kind: "password", source: "session", secret: secret),
            Wire.Credential(kind: "password", source: "session", username: "", secret: secret),
            Wire.Credential(kind: "password", source: "session", username: "a\nb", secret: secret),
            Wire.Credential(kind: "password", source: "session", username: "u", secret: ""),
            Wire.Credential(kind: "token", source: "session", secret: secret + "\0"),
            Wire.Credential(kind: "token", source: "file", path: "relative"),
            Wire.Credential(kind: "token", source: "file", path: "/a", secret: secret),
            Wire.Credential(kind: "token", source: "systemd", name: "a/b"),
            Wire.Credential(kind: "token", source: "systemd"),
        ])
    func refused(_ credential: Wire.Credential) {
        let failure = #expect(throws: Failure.self) { try DomainCredential.reference(credential) }
        #expect(failure?.code == .invalidArgument)
        #expect(failure.map { !"\($0)".contains("hush-7d21fe08") } == true)
    }

    @Test("settings are merged; an empty value removes one")
    func settings() throws {
        #expect(
            try DomainSettings.merged(["a": "1", "b": "2"], with: ["b": "", "c": "3"]) == ["a": "1", "c": "3"])
    }

    @Test(
        "The agreement to use plain http ends with a change of the address, unless it is given again",
        arguments: [
            (["url": "http://b/"], ["url": "http://b/"]),
            (["url": "http://a/"], ["url": "http://a/", "unprotected": "yes"]),
            (["url": "http://b/", "unprotected": "yes"], ["url": "http://b/", "unprotected": "yes"]),
            (["username": "ada"], ["url": "http://a/", "unprotected": "yes", "username": "ada"]),
            (["unprotected": ""], ["url": "http://a/"]),
            (["parameters": "url=http://b/"], ["url": "http://a/", "parameters": "url=http://b/"]),
        ])
    func agreement(_ changes: [String: String], _ expected: [String: String]) throws {
        #expect(try DomainSettings.merged(["url": "http://a/", "unprotected": "yes"], with: changes) == expected)
    }

    @Test("a setting of more than 64 KiB is refused, and so are more than 64 settings")
    func bounds() {
        #expect(throws: Failure.self) {
            try DomainSettings.merged([:], with: ["url": String(repeating: "x", count: 64 * 1024 + 1)])
        }
        let many = Dictionary(uniqueKeysWithValues: (0...64).map { ("s\($0)", "x") })
        #expect(throws: Failure.self) { try DomainSettings.merged([:], with: many) }
    }

    @Test(
        "invalid settings are refused",
        arguments: [
            ["": "x"], ["a b": "x"], ["a=b": "x"], ["é": "x"], ["quotaBytes": "-1"], ["quotaBytes": "much"],
            ["maximumTransfers": "0"], ["url": "a\0b"],
        ])
    func badSettings(_ settings: [String: String]) {
        #expect(throws: Failure.self) { try DomainSettings.merged([:], with: settings) }
    }
}
