import Dispatch

/// The last rung: Docent's own file. Its key is beside it, so it protects against other users, but not against anyone
/// who has both files.
struct SealedFileRung: CredentialStore {
    let file: SealedFile
    private let deadline: Duration
    private let queue = DispatchQueue(label: "org.docent.keyring.sealed-file")

    init(directory: String, deadline: Duration) {
        file = SealedFile(directory: directory)
        self.deadline = deadline
    }

    func state() async -> RungState {
        do throws(KeyringError) {
            _ = try await perform { file, _ throws(KeyringError) in try file.entries().count }
            return .usable
        } catch {
            return .absent(error.description)
        }
    }

    func store(_ secret: Secret, for key: CredentialKey, label: String) async throws(KeyringError) {
        _ = try await perform { file, end throws(KeyringError) in
            try file.change(until: end) { entries in
                entries.removeAll { $0.key == key }
                entries.append(SealedFile.Entry(key: key, label: label, secret: secret))
                return true
            }
        }
    }

    func secret(for key: CredentialKey) async throws(KeyringError) -> Secret? {
        try await perform { file, _ throws(KeyringError) in try file.entries().first { $0.key == key }?.secret }
    }

    func delete(_ query: CredentialQuery) async throws(KeyringError) -> Bool {
        try await perform { file, end throws(KeyringError) in
            // Do not create the lock file if nothing was ever stored.
            guard file.exists else { return false }
            return try file.change(until: end) { entries in
                let count = entries.count
                entries.removeAll { query.means($0.key) }
                return entries.count != count
            }
        }
    }

    func list(_ query: CredentialQuery) async throws(KeyringError) -> [CredentialKey] {
        try await perform { file, _ throws(KeyringError) in try file.entries().map(\.key).filter(query.means) }
    }

    /// Does nothing: the rung is never locked.
    func unlock() async throws(KeyringError) {}

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (SealedFile, ContinuousClock.Instant) throws(KeyringError) -> Value
    ) async throws(KeyringError) -> Value {
        let (file, end) = (file, ContinuousClock.now + deadline)
        return try await BoundedCall.run(on: queue, deadline: deadline) { _ in
            do throws(KeyringError) {
                return .success(try work(file, end))
            } catch {
                return .failure(error)
            }
        }
    }
}
