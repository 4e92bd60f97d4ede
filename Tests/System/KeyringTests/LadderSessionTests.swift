import DocentTestSupport
import Foundation
import Glibc
import Synchronization
import Testing

@testable import Keyring

/// The ladder with a real keyring that is locked, dies, and becomes available again. Part of the serial suite.
extension KeyringTests {
    private func ladder(
        _ session: KeyringSession, deadline: Duration = .seconds(30), pause: Duration = .milliseconds(200)
    ) -> CredentialLadder {
        CredentialLadder(
            environment: [:], dataDirectory: KeyringSession.directory.path, deadline: deadline, pause: pause)
    }

    private func expectLocked(_ work: () async throws -> Void) async {
        await #expect(throws: KeyringError.locked) { try await work() }
    }

    @Test("an open keyring stores the secrets, and is shown under its usual name")
    func storage() async throws {
        let session = try await KeyringSession(.unlocked)
        defer { session.end() }
        let ladder = ladder(session)
        let storage = await ladder.storage(allowingSealedFile: true)
        #expect(storage.rung == .secretService && storage.isWritable && !storage.isLocked && storage.remedy == nil)
        #expect(storage.name == "GNOME keyring, collection Login")
        #expect(await ladder.state(of: .secretService) == .usable)
        let secret = Secret("hush-0b7e55d1")
        try await ladder.store(secret, for: key, label: "Docent: ada", on: .secretService)
        #expect(try await ladder.secret(for: key, on: .secretService) == secret)
        #expect(try await ladder.list(CredentialQuery(), on: .secretService) == [key])
        #expect(try await ladder.delete(CredentialQuery(key), on: .secretService))
        #expect(try await ladder.secret(for: key, on: .secretService) == nil)
    }

    @Test("a locked keyring remains the place for secrets; no secret counts as deleted")
    func lockedLadder() async throws {
        let session = try await KeyringSession(.unlocked)
        defer { session.end() }
        let other = CredentialKey(accessGroup: "TEAM", provider: "p", domain: "never stored", account: "ada")
        let query = CredentialQuery(key)
        try await keyring.store(Secret("hush-90ac2d41"), for: key, label: "label")
        for isFresh in [false, true] {
            if isFresh {
                session.endLast()
                try await session.startLocked()
            } else {
                try session.lock()
            }
            let ladder = ladder(session)
            #expect(await ladder.state(of: .secretService) == .locked)
            let storage = await ladder.storage(allowingSealedFile: true)
            #expect(storage.rung == .secretService && storage.isLocked)
            #expect(storage.remedy?.contains("--replace --unlock") == true)
            await expectLocked { _ = try await ladder.secret(for: key, on: .secretService) }
            await expectLocked { _ = try await ladder.secret(for: other, on: .secretService) }
            await expectLocked { _ = try await ladder.delete(query, on: .secretService) }
            await expectLocked { _ = try await ladder.delete(CredentialQuery(other), on: .secretService) }
            await expectLocked { try await ladder.store(Secret("x"), for: key, label: "label", on: .secretService) }
            await expectLocked { try await ladder.store(Secret("x"), for: other, label: "label", on: .secretService) }
        }
        try session.unlock()
        #expect(try await ladder(session).secret(for: key, on: .secretService) == Secret("hush-90ac2d41"))
        #expect(try await ladder(session).secret(for: other, on: .secretService) == nil)
    }

    @Test("without a program that can show a prompt, unlocking ends at once with \"locked\"")
    func noPrompter() async throws {
        let session = try await KeyringSession(.locked)
        defer { session.end() }
        // Waiting for a user would take longer than a test may.
        await expectLocked { try await Keyring(deadline: .seconds(30)).unlock(patience: .seconds(100_000)) }
        await expectLocked { try await ladder(session).unlock(.secretService) }
        try session.unlock()
        try await ladder(session).unlock(.secretService)
    }

    @Test(
        "a prompt that the user closes leaves the keyring locked, and the next one is shown again",
        .enabled(if: KeyringSession.hasPython, "python3-secretstorage is not installed"))
    func dismissed() async throws {
        let session = try await KeyringSession(.locked)
        defer { session.end() }
        let log = try await session.startPrompter(.dismiss)
        for count in 1...2 {
            await expectLocked { try await ladder(session).unlock(.secretService) }
            #expect(log().components(separatedBy: "PerformPrompt").count - 1 == count, "\(log())")
        }
        await expectLocked { _ = try await ladder(session).secret(for: key, on: .secretService) }
        #expect(log().components(separatedBy: "PerformPrompt").count - 1 == 2, "reading never asks")
    }

    @Test(
        "a prompt that the user answers unlocks the keyring, and listeners are notified by its signal",
        .enabled(if: KeyringSession.hasPython, "python3-secretstorage is not installed"))
    func accepted() async throws {
        let session = try await KeyringSession(.unlocked)
        defer { session.end() }
        try await keyring.store(Secret("hush-6e01c7f3"), for: key, label: "label")
        try session.lock()
        let log = try await session.startPrompter(.accept)
        // Far longer than the test waits: a change is noticed by a signal.
        let ladder = ladder(session, pause: .seconds(600))
        let found = Found()
        let task = Task { for await rung in ladder.unlocks() { await found.add(rung) } }
        defer { task.cancel() }
        await expectLocked { _ = try await ladder.secret(for: key, on: .secretService) }
        try await Task.sleep(for: .milliseconds(300))
        #expect(await found.count == 0)
        // Another program unlocks it.
        try await Keyring().unlock()
        #expect(log().components(separatedBy: "PerformPrompt").count == 2, "\(log())")
        try await session.wait { await found.count == 1 }
        #expect(try await ladder.secret(for: key, on: .secretService) == Secret("hush-6e01c7f3"))
        try await ladder.unlock(.secretService)
        #expect(log().components(separatedBy: "PerformPrompt").count == 2, "an open collection needs no prompt")
    }

    @Test(
        "Law 5: an unanswered prompt ends after its time limit; other calls do not wait for it",
        .enabled(if: KeyringSession.hasPython, "python3-secretstorage is not installed"))
    func unanswered() async throws {
        let session = try await KeyringSession(.locked)
        defer { session.end() }
        let log = try await session.startPrompter(.ignore)
        let (keyring, key) = (keyring, key)
        let isOver = Mutex(false)
        let asking = Task {
            defer { isOver.withLock { $0 = true } }
            try await keyring.unlock(patience: .seconds(10))
        }
        try await session.wait { log().contains("PerformPrompt") }
        await expectLocked { _ = try await keyring.secret(for: key) }
        #expect(await keyring.probe() == .locked)
        let hasWaited = isOver.withLock { $0 }
        #expect(!hasWaited, "the prompt was not waited for")
        await #expect(throws: KeyringError.locked) { try await asking.value }
        #expect(
            await keyring.probe() == .locked, "it lives: GNOME's keyring 42 dies of a prompt that a program takes back")
        try session.unlock()
        #expect(try await keyring.secret(for: key) == nil)
    }

    @Test("Law 3: a service killed during calls ends them; the next one is used in the same way")
    func killed() async throws {
        let session = try await KeyringSession(.unlocked)
        defer { session.end() }
        try await keyring.store(Secret("hush-1f6620bb"), for: key, label: "label")
        for round in 0..<3 {
            session.signal(SIGSTOP)
            // A call ended by its deadline would take longer than a test may.
            let (keyring, key) = (Keyring(deadline: .seconds(100_000)), key)
            let calls: [Task<Void, any Error>] = [
                Task { _ = try await keyring.secret(for: key) },
                Task { try await keyring.store(Secret("hush-2c0a9e17"), for: key, label: "label") },
                Task { _ = try await keyring.delete(CredentialQuery(key)) },
                Task { _ = try await keyring.list() },
            ]
            try await Task.sleep(for: .milliseconds(150 * round))
            session.endLast()
            for call in calls { await #expect(throws: KeyringError.self) { try await call.value } }
            try await session.startUnlocked()
            #expect(try await keyring.value(for: key) == Secret("hush-1f6620bb"))
        }
    }

    @Test("an unlock without a signal, for example by PAM, is noticed, and so is a service that returns")
    func unlocksNoticed() async throws {
        let session = try await KeyringSession(.locked)
        defer { session.end() }
        let ladder = ladder(session)
        let found = Found()
        let task = Task { for await rung in ladder.unlocks() { await found.add(rung) } }
        defer { task.cancel() }
        try await Task.sleep(for: .milliseconds(300))
        #expect(await found.count == 0)
        await expectLocked { _ = try await ladder.secret(for: key, on: .secretService) }
        try session.unlock()
        try await session.wait { await found.count == 1 }
        #expect(await ladder.state(of: .secretService) == .usable)
        session.endLast()
        #expect(await ladder.state(of: .secretService) != .usable)
        try await session.startUnlocked()
        try await session.wait { await found.count == 2 }
        #expect(await found.rungs == [.secretService])
    }

    @Test("a bus that returns is noticed automatically, and reported once")
    func busNoticed() async throws {
        let session = try await KeyringSession(.unlocked)
        let ladder = ladder(session)
        let found = Found()
        let task = Task { for await rung in ladder.unlocks() { await found.add(rung) } }
        defer { task.cancel() }
        #expect(await ladder.state(of: .secretService) == .usable)
        session.end()
        #expect(await ladder.state(of: .secretService) != .usable)
        let next = try await KeyringSession(.unlocked)
        defer { next.end() }
        try await next.wait { await found.count == 1 }
        try await Task.sleep(for: .seconds(2))
        #expect(await found.count == 1)
        #expect(await found.rungs == [.secretService])
    }

    private actor Found {
        var count = 0
        var rungs: Set<CredentialRung> = []

        func add(_ rung: CredentialRung) {
            count += 1
            rungs.insert(rung)
        }
    }

    @Test("two concurrent stores of one key leave one item with one of the two secrets")
    func atOnce() async throws {
        let session = try await KeyringSession(.unlocked)
        defer { session.end() }
        let (one, two) = (ladder(session), ladder(session))
        let key = key
        let secrets = (0..<20).map { Secret("hush-\($0)-77d1c0aa") }
        await withThrowingTaskGroup(of: Void.self) { group in
            for (index, secret) in secrets.enumerated() {
                let ladder = index.isMultiple(of: 2) ? one : two
                group.addTask { try await ladder.store(secret, for: key, label: "label", on: .secretService) }
            }
        }
        #expect(try await keyring.list() == [key])
        let left = try #require(try await keyring.value(for: key))
        #expect(secrets.contains(left))
    }
}
