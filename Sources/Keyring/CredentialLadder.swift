import Synchronization

/// The places for secrets, from the best to the last resort.
///
/// A secret stays on the rung where it was stored, and is only looked up there. No other rung replaces one that is
/// locked or unavailable. Thread-safe; each call has a deadline and waits on threads of this module.
package final class CredentialLadder: Sendable {
    let secretService: SecretServiceRung
    let encryptedFile: EncryptedFileRung
    let systemd: SystemdRung
    let sealedFile: SealedFileRung
    /// Whether the user permanently agreed to the sealed file with `DOCENT_SEALED_FILE=1`.
    let isSealedFileOn: Bool
    /// How often each rung was found locked or unavailable.
    private let misses = Mutex<[CredentialRung: Int]>([:])
    private let pause: Duration

    /// Creates a ladder; nothing is contacted before the first call.
    ///
    /// - Parameters:
    ///   - environment: the daemon's environment (docs/keyring.md). The session bus is always the process's own,
    ///     because libsecret uses that one.
    ///   - dataDirectory: the absolute path of the daemon's data directory, private to the user.
    ///   - deadline: the time limit of each call except ``unlock(_:)``, which a person answers.
    package convenience init(
        environment: [String: String], dataDirectory: String, deadline: Duration = .seconds(10)
    ) {
        self.init(environment: environment, dataDirectory: dataDirectory, deadline: deadline, pause: .seconds(5))
    }

    /// Creates a ladder with a given pause.
    ///
    /// - Parameter pause: the interval for checking a locked or unavailable rung that sends no notifications.
    init(environment: [String: String], dataDirectory: String, deadline: Duration, pause: Duration) {
        secretService = SecretServiceRung(deadline: deadline)
        encryptedFile = EncryptedFileRung(environment: environment, directory: dataDirectory, deadline: deadline)
        systemd = SystemdRung(environment: environment, deadline: deadline)
        sealedFile = SealedFileRung(directory: dataDirectory, deadline: deadline)
        isSealedFileOn = environment["DOCENT_SEALED_FILE"] == "1"
        self.pause = pause
    }

    /// Where a new secret is stored: on the first writable rung. A locked rung counts as writable because it can be
    /// unlocked.
    ///
    /// - Parameter allowingSealedFile: whether the user agrees to the last rung.
    package func storage(allowingSealedFile: Bool) async -> CredentialStorageState {
        await survey().storage(allowingSealedFile: allowingSealedFile)
    }

    /// The state of all rungs, for `docent doctor`. Never asks for a password.
    package func survey() async -> CredentialSurvey {
        async let service = secretService.identity()
        async let file = state(of: .encryptedFile)
        async let credentials = state(of: .systemd)
        async let sealed = state(of: .sealedFile)
        let (found, name) = await service
        note(found, of: .secretService)
        return CredentialSurvey(
            states: [
                .secretService: found, .encryptedFile: await file, .systemd: await credentials,
                .sealedFile: await sealed,
            ], keyringName: name, encryptedPath: encryptedFile.path,
            isEncryptedFileThere: PrivateFile.exists(encryptedFile.path),
            sealedPath: sealedFile.file.path, isSealedFileOn: isSealedFileOn,
            isSealedFileThere: sealedFile.file.exists)
    }

    /// The state of a rung. Never asks for a password.
    package func state(of rung: CredentialRung) async -> RungState {
        let state = await store(of: rung).state()
        note(state, of: rung)
        return state
    }

    /// Stores a secret, replacing one with the same key.
    ///
    /// - Parameters:
    ///   - secret: at most 64 KiB.
    ///   - label: shown to the user by keyring programs.
    /// - Throws: ``KeyringError/locked`` and others. The old secret is then still stored, except that after a deadline
    ///   it may be either of the two.
    package func store(
        _ secret: Secret, for key: CredentialKey, label: String, on rung: CredentialRung
    ) async throws(KeyringError) {
        try await noting(rung) { store throws(KeyringError) in try await store.store(secret, for: key, label: label) }
    }

    /// The secret for a key.
    ///
    /// - Returns: nil when there is certainly none, which is not an error.
    /// - Throws: ``KeyringError/locked`` and others when there may be one but it cannot be read now.
    package func secret(for key: CredentialKey, on rung: CredentialRung) async throws(KeyringError) -> Secret? {
        try await noting(rung) { store throws(KeyringError) in try await store.secret(for: key) }
    }

    /// Deletes the secrets that a query selects.
    ///
    /// - Returns: whether there were any.
    @discardableResult
    package func delete(_ query: CredentialQuery, on rung: CredentialRung) async throws(KeyringError) -> Bool {
        try await noting(rung) { store throws(KeyringError) in try await store.delete(query) }
    }

    /// The keys of the secrets that a query selects, without the secrets, in no particular order.
    package func list(_ query: CredentialQuery, on rung: CredentialRung) async throws(KeyringError) -> [CredentialKey] {
        try await noting(rung) { store throws(KeyringError) in try await store.list(query) }
    }

    /// Unlocks a rung. On a desktop the user is asked and has two minutes.
    ///
    /// - Throws: ``KeyringError/locked`` when it was not unlocked.
    package func unlock(_ rung: CredentialRung) async throws(KeyringError) {
        try await noting(rung) { store throws(KeyringError) in try await store.unlock() }
    }

    /// Yields a rung whenever one that was found locked or unavailable becomes usable. The rungs are only watched while
    /// the stream is being consumed.
    package func unlocks() -> AsyncStream<CredentialRung> {
        AsyncStream { continuation in
            let (signs, sign) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let watch = ServiceWatch(pause: pause) { sign.yield() }
            let task = Task {
                var told: [CredentialRung: Int] = [:]
                for await _ in signs {
                    for rung in CredentialRung.allCases {
                        let missed = misses.withLock { $0[rung, default: 0] }
                        guard missed > told[rung, default: 0], await store(of: rung).state() == .usable else {
                            continue
                        }
                        told[rung] = missed
                        continuation.yield(rung)
                    }
                }
            }
            continuation.onTermination = { _ in
                task.cancel()
                sign.finish()
                watch.end()
            }
        }
    }

    /// Where a rung keeps its secrets, for people.
    package func place(of rung: CredentialRung) -> String {
        switch rung {
        case .secretService: "the system keyring"
        case .encryptedFile: encryptedFile.path
        case .systemd: "the systemd credentials"
        case .sealedFile: sealedFile.file.path
        }
    }

    private func store(of rung: CredentialRung) -> any CredentialStore {
        switch rung {
        case .secretService: secretService
        case .encryptedFile: encryptedFile
        case .systemd: systemd
        case .sealedFile: sealedFile
        }
    }

    private func note(_ state: RungState, of rung: CredentialRung) {
        if state != .usable { misses.withLock { $0[rung, default: 0] += 1 } }
    }

    private func noting<Value>(
        _ rung: CredentialRung, _ work: (any CredentialStore) async throws(KeyringError) -> Value
    ) async throws(KeyringError) -> Value {
        do throws(KeyringError) {
            return try await work(store(of: rung))
        } catch {
            switch error {
            case .noService, .noCollection, .locked, .timedOut, .unavailable, .damaged, .failed:
                misses.withLock { $0[rung, default: 0] += 1 }
            case .cancelled, .invalidKey, .readOnly: break
            }
            throw error
        }
    }
}
