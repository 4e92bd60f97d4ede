import Synchronization

/// The places for secrets, from the best to the last resort.
///
/// A secret stays on the rung where it was stored and is looked for there alone; a rung that is locked or away never
/// makes another one stand in for it. Thread-safe; each call is bounded (law 5) and waits on threads of the module.
package final class CredentialLadder: Sendable {
    let secretService: SecretServiceRung
    let encryptedFile: EncryptedFileRung
    let systemd: SystemdRung
    let sealedFile: SealedFileRung
    /// Whether the user agreed to the sealed file for good, by `DOCENT_SEALED_FILE=1`.
    let isSealedFileOn: Bool
    /// How often each rung was found locked or away.
    private let misses = Mutex<[CredentialRung: Int]>([:])
    private let pause: Duration

    /// Makes a ladder; nothing is contacted before the first call.
    ///
    /// - Parameters:
    ///   - environment: that of the daemon (docs/keyring.md). The session bus is always that of the process, as
    ///     libsecret's is.
    ///   - dataDirectory: absolute path of the daemon's own data, private to the user.
    ///   - deadline: of each call but ``unlock(_:)``, in which a person answers.
    package convenience init(
        environment: [String: String], dataDirectory: String, deadline: Duration = .seconds(10)
    ) {
        self.init(environment: environment, dataDirectory: dataDirectory, deadline: deadline, pause: .seconds(5))
    }

    /// - Parameter pause: how often a rung that is locked or away is looked at where nothing tells of it.
    init(environment: [String: String], dataDirectory: String, deadline: Duration, pause: Duration) {
        secretService = SecretServiceRung(deadline: deadline)
        encryptedFile = EncryptedFileRung(environment: environment, directory: dataDirectory, deadline: deadline)
        systemd = SystemdRung(environment: environment, deadline: deadline)
        sealedFile = SealedFileRung(directory: dataDirectory, deadline: deadline)
        isSealedFileOn = environment["DOCENT_SEALED_FILE"] == "1"
        self.pause = pause
    }

    /// Where a new secret goes: to the first rung that can be written to. A locked one counts, as it can be unlocked.
    ///
    /// - Parameter allowingSealedFile: whether the user agrees to the last rung.
    package func storage(allowingSealedFile: Bool) async -> CredentialStorageState {
        await survey().storage(allowingSealedFile: allowingSealedFile)
    }

    /// How it stands with all of them, for `docent doctor`; asks nobody for a password.
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

    /// How it stands with a rung; asks nobody for a password.
    package func state(of rung: CredentialRung) async -> RungState {
        let state = await store(of: rung).state()
        note(state, of: rung)
        return state
    }

    /// Stores a secret, in place of one that has the same key.
    ///
    /// - Parameters:
    ///   - secret: at most 64 KiB.
    ///   - label: how keyring programs show it to the user.
    /// - Throws: ``KeyringError/locked`` and others; then the old secret is still there, but after a deadline it may be
    ///   either.
    package func store(
        _ secret: Secret, for key: CredentialKey, label: String, on rung: CredentialRung
    ) async throws(KeyringError) {
        try await noting(rung) { store throws(KeyringError) in try await store.store(secret, for: key, label: label) }
    }

    /// The secret of a key.
    ///
    /// - Returns: nil when there is none for certain, which is not an error.
    /// - Throws: ``KeyringError/locked`` and others where it may be but cannot be read now.
    package func secret(for key: CredentialKey, on rung: CredentialRung) async throws(KeyringError) -> Secret? {
        try await noting(rung) { store throws(KeyringError) in try await store.secret(for: key) }
    }

    /// Deletes the secrets that a query means.
    ///
    /// - Returns: whether there were any.
    @discardableResult
    package func delete(_ query: CredentialQuery, on rung: CredentialRung) async throws(KeyringError) -> Bool {
        try await noting(rung) { store throws(KeyringError) in try await store.delete(query) }
    }

    /// The keys of the secrets that a query means, without the secrets, in no particular order.
    package func list(_ query: CredentialQuery, on rung: CredentialRung) async throws(KeyringError) -> [CredentialKey] {
        try await noting(rung) { store throws(KeyringError) in try await store.list(query) }
    }

    /// Unlocks a rung; where there is a desktop, it asks its user, who has two minutes.
    ///
    /// - Throws: ``KeyringError/locked`` when nobody unlocked it.
    package func unlock(_ rung: CredentialRung) async throws(KeyringError) {
        try await noting(rung) { store throws(KeyringError) in try await store.unlock() }
    }

    /// One element whenever a rung that was found locked or away can be used. It watches only while it is listened to.
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
        case .systemd: "the credentials of systemd"
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
