import DocentTestSupport
import Foundation
import Glibc
import Testing

@testable import Keyring

/// The last rung: Docent's own file.
@Suite(.needs(.programs, within: .seconds(300)))
struct SealedFileTests {
    private let folder = TemporaryFolder("sealed")
    private var ladder: CredentialLadder {
        CredentialLadder(environment: [:], dataDirectory: folder.path, deadline: .seconds(60))
    }
    private let key = CredentialKey(
        accessGroup: "org.example/domain", provider: "org.example", domain: "work", account: "ada")
    private var path: String { folder.path + "/credentials.sealed" }
    private var keyPath: String { folder.path + "/credentials.key" }

    private func content(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    private func mode(_ path: String) -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test("a secret is returned as stored, whatever its bytes", arguments: nastySecrets)
    func roundTrip(bytes: [UInt8]) async throws {
        #expect(await ladder.state(of: .sealedFile) == .usable)
        #expect(try await ladder.secret(for: key, on: .sealedFile) == nil)
        #expect(try await ladder.delete(CredentialQuery(key), on: .sealedFile) == false)
        try await ladder.store(Secret("hush-old-91c2"), for: key, label: "Docent: ada", on: .sealedFile)
        try await ladder.store(Secret(bytes), for: key, label: "Docent: ada", on: .sealedFile)
        #expect(try await ladder.secret(for: key, on: .sealedFile) == Secret(bytes))
        #expect(
            try await ladder.list(CredentialQuery(), on: .sealedFile) == [key], "the new takes the place of the old")
        #expect(try await ladder.delete(CredentialQuery(provider: "org.example"), on: .sealedFile))
        #expect(try await ladder.secret(for: key, on: .sealedFile) == nil)
    }

    @Test("neither file is readable by others, and neither contains the secret or its names")
    func permissions() async throws {
        try await ladder.store(Secret("hush-71e0d2b4"), for: key, label: "Docent: ada", on: .sealedFile)
        #expect(mode(path) == 0o600 && mode(keyPath) == 0o600)
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let content = try content(folder.path + "/" + file)
            for text in ["hush-71e0d2b4", "ada", "org.example"] { #expect(content.range(of: Data(text.utf8)) == nil) }
        }
        #expect(try content(keyPath).count == 32)
        chmod(keyPath, 0o644)
        await #expect(throws: KeyringError.self) { try await ladder.secret(for: key, on: .sealedFile) }
        guard case .absent(let why) = await ladder.state(of: .sealedFile) else {
            Issue.record("a key readable by others is used")
            return
        }
        #expect(why.contains("chmod 600"))
    }

    @Test("a file that was changed, or has lost its key, is distinguished from an empty one, and never overwritten")
    func damaged() async throws {
        try await ladder.store(Secret("hush-0c5d3e21"), for: key, label: "Docent: ada", on: .sealedFile)
        let (whole, sealingKey) = (try content(path), try content(keyPath))
        var spoilt: [Data] = [Data(), Data(whole.prefix(20)), Data(whole.dropLast())]
        for index in [0, 9, 30, whole.count - 1] {
            var copy = whole
            copy[index] ^= 1
            spoilt.append(copy)
        }
        func expectDamaged() async throws {
            let ladder = ladder
            for call: @Sendable () async throws -> Void in [
                { [key] in _ = try await ladder.secret(for: key, on: .sealedFile) },
                { [key] in try await ladder.store(Secret("x"), for: key, label: "", on: .sealedFile) },
                { _ = try await ladder.delete(CredentialQuery(), on: .sealedFile) },
            ] {
                let error = await #expect(throws: KeyringError.self) { try await call() }
                if case .damaged = error {} else { Issue.record("\(String(describing: error))") }
            }
        }
        for copy in spoilt {
            try copy.write(to: URL(filePath: path))
            chmod(path, 0o600)
            try await expectDamaged()
            #expect(try content(path) == copy)
        }
        try whole.write(to: URL(filePath: path))
        chmod(path, 0o600)
        unlink(keyPath)
        try await expectDamaged()
        try sealingKey.write(to: URL(filePath: keyPath))
        chmod(keyPath, 0o600)
        #expect(try await ladder.secret(for: key, on: .sealedFile) == Secret("hush-0c5d3e21"))
    }

    @Test("two daemons that write at once lose none of each other's secrets")
    func atOnce() async throws {
        let ladders = (0..<4).map { _ in ladder }
        let keys = (0..<80).map { CredentialKey(accessGroup: "g", provider: "p", domain: "d", account: "a\($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, key) in keys.enumerated() {
                group.addTask {
                    try await ladders[index % 4].store(
                        Secret("hush-\(index)-6d3f"), for: key, label: "", on: .sealedFile)
                }
            }
            try await group.waitForAll()
        }
        #expect(Set(try await ladder.list(CredentialQuery(), on: .sealedFile)) == Set(keys))
        for (index, key) in keys.enumerated() {
            #expect(try await ladder.secret(for: key, on: .sealedFile) == Secret("hush-\(index)-6d3f"))
        }
    }

    @Test("Law 5: a lock that another process holds delays no longer than the deadline, and changes nothing")
    func lock() async throws {
        try await ladder.store(Secret("hush-5ae6f001"), for: key, label: "", on: .sealedFile)
        let file = open(path + ".lock", O_RDWR | O_CLOEXEC)
        try #require(file >= 0 && flock(file, LOCK_EX) == 0)
        let impatient = CredentialLadder(environment: [:], dataDirectory: folder.path, deadline: .milliseconds(300))
        await #expect(throws: KeyringError.timedOut) {
            try await impatient.store(Secret("hush-5ae6f002"), for: key, label: "", on: .sealedFile)
        }
        #expect(try await ladder.secret(for: key, on: .sealedFile) == Secret("hush-5ae6f001"), "reading needs no lock")
        close(file)
        #expect(try await ladder.secret(for: key, on: .sealedFile) == Secret("hush-5ae6f001"))
    }

    @Test("kill -9 during writing leaves the old secrets or the new ones, complete", arguments: 0..<8)
    func killed(round: Int) async throws {
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
            let ladder = CredentialLadder(environment: [:], dataDirectory: path, deadline: .seconds(60))
            let stays = CredentialKey(accessGroup: "g", provider: "p", account: "stays")
            let changes = CredentialKey(accessGroup: "g", provider: "p", account: "changes")
            try await ladder.store(Secret("hush-stays-40"), for: stays, label: "", on: .sealedFile)
            try await ladder.store(Secret("hush-0-41"), for: changes, label: "", on: .sealedFile)
            DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(3000 + 1700 * round)) {
                kill(getpid(), SIGKILL)
            }
            for number in 0... {
                try await ladder.store(Secret("hush-\(number)-41"), for: changes, label: "", on: .sealedFile)
            }
        }
        let stays = CredentialKey(accessGroup: "g", provider: "p", account: "stays")
        let changes = CredentialKey(accessGroup: "g", provider: "p", account: "changes")
        #expect(try await ladder.secret(for: stays, on: .sealedFile) == Secret("hush-stays-40"))
        let text = try #require(try await ladder.secret(for: changes, on: .sealedFile)?.text)
        #expect(text.hasPrefix("hush-") && text.hasSuffix("-41"))
        try await ladder.store(Secret("hush-after-42"), for: changes, label: "", on: .sealedFile)
        #expect(try await ladder.secret(for: changes, on: .sealedFile) == Secret("hush-after-42"))
    }
}
