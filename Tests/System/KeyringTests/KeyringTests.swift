import DocentTestSupport
import Glibc
import Testing

@testable import Keyring

@Suite(
    .serialized,
    .enabled(if: KeyringSession.isInstalled, "dbus-daemon or gnome-keyring-daemon is not installed"), .needs(.keyring))
struct KeyringTests {
    let keyring = Keyring(deadline: .seconds(30))
    let key = CredentialKey(
        accessGroup: "TEAM.org.example", provider: "org.example.Files", domain: "work", account: "ada")

    @Test(
        "A secret is returned as stored, whatever its bytes",
        arguments: [
            Array("hush-5b8f21d7 pässword".utf8), [], [0, 255, 10, 0], Array("two\nlines\r\n".utf8),
            [UInt8](repeating: 7, count: 65_536), [UInt8](repeating: 7, count: 100_000),
        ])
    func roundTrip(secret: [UInt8]) async throws {
        let session = try await KeyringSession(.unlocked)
        defer { session.end() }
        #expect(try await keyring.secret(for: key) == nil)
        try await keyring.store(Array("old".utf8), for: key, label: "Docent: ada")
        try await keyring.store(secret, for: key, label: "Docent: ada")
        #expect(try await keyring.secret(for: key) == secret)
        #expect(try await keyring.list() == [key], "the new secret replaces the old")
        #expect(try await keyring.delete(CredentialQuery(key)))
        #expect(try await keyring.delete(CredentialQuery(key)) == false)
        #expect(try await keyring.secret(for: key) == nil)
    }

    @Test("Keys that differ in one part are different secrets, and a query returns those that match it")
    func attributes() async throws {
        let session = try await KeyringSession(.unlocked)
        defer { session.end() }
        let keys: Set<CredentialKey> = [
            key, CredentialKey(accessGroup: "other", provider: "org.example.Files", domain: "work", account: "ada"),
            CredentialKey(accessGroup: "TEAM.org.example", provider: "other", domain: "work", account: "ada"),
            CredentialKey(accessGroup: "TEAM.org.example", provider: "org.example.Files", account: "ada"),
            CredentialKey(
                accessGroup: "TEAM.org.example", provider: "org.example.Files", domain: "work", account: "ådå"),
        ]
        for key in keys { try await keyring.store(Array("\(key)".utf8), for: key, label: "label") }
        for key in keys { #expect(try await keyring.secret(for: key) == Array("\(key)".utf8)) }
        #expect(Set(try await keyring.list()) == keys)
        let inDomain = try await keyring.list(CredentialQuery(provider: "org.example.Files", domain: ""))
        #expect(Set(inDomain) == keys.filter { $0.domain.isEmpty })
        #expect(try await keyring.delete(CredentialQuery(accessGroup: "TEAM.org.example")))
        #expect(Set(try await keyring.list()) == keys.filter { $0.accessGroup == "other" })
    }

    @Test("A key with a NUL character is refused: it would name another secret")
    func nul() async throws {
        let session = try await KeyringSession(.unlocked)
        defer { session.end() }
        let key = CredentialKey(accessGroup: "group", provider: "org.example.Files", account: "ada\u{0}x")
        await #expect(throws: KeyringError.invalidKey("ada\u{0}x")) {
            try await keyring.store([1], for: key, label: "label")
        }
    }

    @Test("a keyring that was never unlocked has no collection, and this is reported")
    func neverUnlocked() async throws {
        let session = try await KeyringSession(.never)
        defer { session.end() }
        let status = await keyring.probe()
        guard case .noCollection = status else {
            Issue.record("\(status)")
            return
        }
        let impatient = Keyring(deadline: .seconds(5))
        await #expect(throws: KeyringError.self) { try await impatient.store([1], for: key, label: "label") }
        #expect(KeyringError.noCollection("x").description.contains("gnome-keyring-daemon --replace --unlock"))
    }

    @Test("Without a service or a bus the status says so, and calls fail")
    func noService() async throws {
        let session = try await KeyringSession(.noService)
        for hasBus in [true, false] {
            if !hasBus { session.end() }
            let status = await keyring.probe()
            guard case .noService = status else {
                Issue.record("\(status)")
                continue
            }
            let error = await #expect(throws: KeyringError.self) { try await keyring.secret(for: key) }
            if let error, case .noService = error {} else { Issue.record("\(String(describing: error))") }
        }
    }

    @Test(
        "A locked collection is distinguished from an unlocked one",
        .enabled(if: KeyringSession.canSend, "dbus-send is not installed"))
    func locked() async throws {
        let session = try await KeyringSession(.unlocked)
        defer { session.end() }
        try await keyring.store([1], for: key, label: "label")
        #expect(await keyring.probe() == .available)
        try session.lock()
        #expect(await keyring.probe() == .locked)
        #expect(try await keyring.list() == [key], "keys are no secret")
    }

    @Test("Law 5: a hanging service delays no longer than the deadline, blocks no other call, and is used again later")
    func deadline() async throws {
        let session = try await KeyringSession(.unlocked)
        defer { session.end() }
        try await keyring.store([1, 2], for: key, label: "label")
        session.signal(SIGSTOP)
        let impatient = Keyring(deadline: .milliseconds(300))
        let key = key
        await withTaskGroup(of: KeyringError?.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    do throws(KeyringError) {
                        _ = try await impatient.secret(for: key)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            for await error in group { #expect(error == .timedOut) }
        }
        #expect(await impatient.probe() == .timedOut)
        session.signal(SIGCONT)
        #expect(try await keyring.secret(for: key) == [1, 2])
        #expect(try await Keyring(deadline: .seconds(30)).secret(for: key) == [1, 2])
    }

    @Test("Law 5: a call ends with its task")
    func cancellation() async throws {
        let session = try await KeyringSession(.unlocked)
        defer { session.end() }
        session.signal(SIGSTOP)
        let task = Task { [keyring, key] in try await keyring.secret(for: key) }
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        await #expect(throws: KeyringError.cancelled) { try await task.value }
    }

    @Test("Law 3: the session bus may end and return; the process survives and finds the new one")
    func restart() async throws {
        for number in UInt8(0)..<3 {
            let session = try await KeyringSession(.unlocked)
            defer { session.end() }
            try await keyring.store([number], for: key, label: "label")
            #expect(try await keyring.secret(for: key) == [number])
        }
    }
}
