import DocentInterfaces
import Foundation
import Glibc
import Isolation
import Testing

@testable import Host

/// Where secrets come from, and that they go nowhere else (issue 3, point 10).
@Suite final class CredentialSourceTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/credential-" + UUID().uuidString
    private let domain = DomainKey(provider: "p", domain: "d")
    private static let secret = "hunter2 with spaces "

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func file(_ bytes: [UInt8], mode: mode_t = 0o600, name: String = "secret") throws -> String {
        let path = folder + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        try #require(chmod(path, mode) == 0)
        return path
    }

    private func read(_ path: String) throws -> String {
        try CredentialSource(environment: [:]).secret(
            CredentialReference(kind: .password, source: .file, username: "u", path: path), for: domain)
    }

    @Test(
        "the first line of a private file is the secret, without its end",
        arguments: [secret, secret + "\n", secret + "\r\n", secret + "\nsecond line", secret + "\n\0"])
    func firstLine(_ text: String) throws {
        #expect(try read(file(Array(text.utf8))) == Self.secret)
    }

    @Test("it is read again each time")
    func readAgain() throws {
        #expect(try read(file(Array("one".utf8))) == "one")
        #expect(try read(file(Array("two".utf8))) == "two")
    }

    @Test(
        "a file that others may read or write is refused, with the remedy",
        arguments: [0o640, 0o604, 0o620, 0o602, 0o777])
    func modes(_ mode: Int) throws {
        let path = try file(Array(Self.secret.utf8), mode: mode_t(mode))
        let failure = #expect(throws: Failure.self) { try read(path) }
        #expect(failure?.code == .notAuthenticated)
        #expect(failure?.suggestion?.contains("chmod 600") == true)
        #expect(failure.map { !"\($0)".contains(Self.secret) } == true)
    }

    @Test(
        "what is no password is refused",
        arguments: [
            ([], 1), (Array("\nsecond".utf8), 1), ([0x61, 0, 0x62], 1), ([0xff, 0xfe], 1), ([0x61], 65 * 1024),
        ])
    func content(_ bytes: [UInt8], _ count: Int) throws {
        let path = try file(Array(repeatElement(bytes, count: count).joined()))
        #expect(throws: Failure.self) { try read(path) }
    }

    @Test("what is no ordinary file does not hang and is refused")
    func kinds() throws {
        #expect(throws: Failure.self) { try read(folder) }
        #expect(throws: Failure.self) { try read(folder + "/missing") }
        #expect(throws: Failure.self) { try read("relative") }
        #expect(throws: Failure.self) { try read("/dev/zero") }
        try #require(mkfifo(folder + "/fifo", 0o600) == 0)
        #expect(throws: Failure.self) { try read(folder + "/fifo") }
    }

    @Test("systemd's credentials are found by name, and by nothing that leads elsewhere")
    func systemd() throws {
        _ = try file(Array(Self.secret.utf8), mode: 0o440, name: "cloud")
        let source = CredentialSource(environment: ["CREDENTIALS_DIRECTORY": folder + "/sub"])
        try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: true)
        _ = try file(Array(Self.secret.utf8), mode: 0o440, name: "sub/cloud")
        func read(_ source: CredentialSource, _ name: String) throws -> String {
            try source.secret(CredentialReference(kind: .token, source: .systemd, name: name), for: domain)
        }
        #expect(try read(source, "cloud") == Self.secret)
        for name in ["", ".", "..", "../cloud", "/etc/passwd", "missing"] {
            #expect(throws: Failure.self) { try read(source, name) }
        }
        #expect(throws: Failure.self) { try read(CredentialSource(environment: [:]), "cloud") }
    }

    @Test("a secret of the session is in memory only, and keeps the daemon")
    func session() throws {
        let source = CredentialSource(environment: [:])
        let reference = CredentialReference(kind: .password, source: .session, username: "u")
        #expect(!source.holdsSecrets)
        let failure = #expect(throws: Failure.self) { try source.secret(reference, for: domain) }
        #expect(failure?.code == .notAuthenticated)
        source.remember("s", for: domain)
        #expect(source.holdsSecrets)
        #expect(try source.secret(reference, for: domain) == "s")
        #expect(throws: Failure.self) {
            try source.secret(reference, for: DomainKey(provider: "p", domain: "other"))
        }
        source.remember(nil, for: domain)
        #expect(!source.holdsSecrets)
    }

    @Test("what goes into the database has no secret in it")
    func reference() throws {
        let given = Wire.Credential(kind: "password", source: "session", username: "u", secret: Self.secret)
        let (reference, secret) = try DomainCredential.reference(given)
        #expect(secret == Self.secret)
        let stored = String(decoding: try JSONEncoder().encode(reference), as: UTF8.self)
        #expect(!stored.contains("hunter2"))
        #expect(reference?.shown == "session")
        #expect(try DomainCredential.reference(nil).reference == nil)
    }

    @Test(
        "a credential that cannot be meant is refused, and the secret is not repeated",
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
        #expect(failure.map { !"\($0)".contains("hunter2") } == true)
    }

    @Test("settings are merged; an empty value removes one")
    func settings() throws {
        #expect(
            try DomainSettings.merged(["a": "1", "b": "2"], with: ["b": "", "c": "3"]) == ["a": "1", "c": "3"])
    }

    @Test("a setting of more than 64 KiB is refused, and so are more than 64 of them")
    func bounds() {
        #expect(throws: Failure.self) {
            try DomainSettings.merged([:], with: ["url": String(repeating: "x", count: 64 * 1024 + 1)])
        }
        let many = Dictionary(uniqueKeysWithValues: (0...64).map { ("s\($0)", "x") })
        #expect(throws: Failure.self) { try DomainSettings.merged([:], with: many) }
    }

    @Test(
        "settings that cannot be meant are refused",
        arguments: [
            ["": "x"], ["a b": "x"], ["a=b": "x"], ["é": "x"], ["quotaBytes": "-1"], ["quotaBytes": "much"],
            ["maximumTransfers": "0"], ["url": "a\0b"],
        ])
    func badSettings(_ settings: [String: String]) {
        #expect(throws: Failure.self) { try DomainSettings.merged([:], with: settings) }
    }
}
