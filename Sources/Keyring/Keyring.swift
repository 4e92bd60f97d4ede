import Dispatch

/// The user's secrets in the Secret Service, through libsecret.
///
/// Calls wait on a thread of their own, one after the other, never on the cooperative pool; each has a deadline
/// (law 5). None but ``unlock(patience:)`` makes the desktop ask its user for a password: the others throw
/// ``KeyringError/locked``. Secrets are bytes; they are never written to a log and appear in no error.
package final class Keyring: Sendable {
    /// How long a call may take, from the moment it is made.
    package let deadline: Duration

    /// One for the process, as libsecret's connection is.
    private static let queue = DispatchQueue(label: "org.docent.keyring")
    private static let prompts = DispatchQueue(label: "org.docent.keyring.prompts")

    /// Makes a keyring; nothing is contacted before the first call.
    package init(deadline: Duration = .seconds(60)) { self.deadline = deadline }

    /// Stores a secret, in place of one that has the same key.
    ///
    /// - Parameters:
    ///   - secret: any bytes.
    ///   - label: how keyring programs show it to the user.
    package func store(_ secret: [UInt8], for key: CredentialKey, label: String) async throws(KeyringError) {
        try await store(Secret(secret), for: key, label: label)
    }

    /// Stores a secret, in place of one that has the same key.
    package func store(_ secret: Secret, for key: CredentialKey, label: String) async throws(KeyringError) {
        try await perform { service throws(KeyringError) in
            try service.store(secret, attributes: CredentialQuery(key).attributes, label: label)
        }
    }

    /// The secret of a key.
    ///
    /// - Returns: nil when there is none, which is not an error.
    /// - Throws: ``KeyringError/locked`` also when nothing is found in a keyring that is locked.
    package func secret(for key: CredentialKey) async throws(KeyringError) -> [UInt8]? {
        try await value(for: key)?.withBytes { [UInt8]($0) }
    }

    /// The secret of a key, in memory of its own.
    package func value(for key: CredentialKey) async throws(KeyringError) -> Secret? {
        try await perform { service throws(KeyringError) in
            try service.lookUp(attributes: CredentialQuery(key).attributes)
        }
    }

    /// Deletes the secrets that a query means.
    ///
    /// - Returns: whether there were any.
    @discardableResult
    package func delete(_ query: CredentialQuery) async throws(KeyringError) -> Bool {
        try await perform { service throws(KeyringError) in
            try service.delete(attributes: query.attributes)
        }
    }

    /// The keys of the secrets that a query means, without the secrets, in no particular order. Nothing is unlocked for
    /// it.
    package func list(_ query: CredentialQuery = CredentialQuery()) async throws(KeyringError) -> [CredentialKey] {
        try await perform { service throws(KeyringError) in
            try service.list(attributes: query.attributes)
        }
    }

    /// Looks whether the keyring can be used, and never asks the user for anything.
    package func probe() async -> KeyringStatus {
        do throws(KeyringError) {
            return try await perform { service throws(KeyringError) in
                try service.probe()
            }
        } catch {
            switch error {
            case .noService(let reason): return .noService(reason)
            case .noCollection(let reason): return .noCollection(reason)
            case .locked: return .locked
            case .timedOut: return .timedOut
            case .cancelled, .invalidKey, .unavailable, .readOnly, .damaged, .failed: return .failed(error.description)
            }
        }
    }

    /// Which keyring answers; asks the user for nothing.
    package func identify() async throws(KeyringError) -> KeyringIdentity {
        try await perform { service throws(KeyringError) in
            try service.identify()
        }
    }

    /// Unlocks the default collection, and items of ours that are locked by themselves: a desktop asks its user. Other
    /// calls do not wait for it.
    ///
    /// - Parameter patience: how long the user has.
    /// - Throws: ``KeyringError/locked`` when nobody could be asked, or would not answer.
    package func unlock(patience: Duration = .seconds(120)) async throws(KeyringError) {
        // This also finds a bus that was started anew.
        let status = try await perform { service throws(KeyringError) in
            try service.probe()
        }
        guard status == .locked || status == .available else { return }
        do throws(KeyringError) {
            try await BoundedCall.run(on: Self.prompts, deadline: patience) { cancellable in
                SecretServiceCall.unlock(cancellable: cancellable)
            }
        } catch {
            throw error == .timedOut ? .locked : error
        }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (SecretServiceCall) throws(KeyringError) -> Value
    ) async throws(KeyringError) -> Value {
        try await BoundedCall.run(on: Self.queue, deadline: deadline) { cancellable in
            SecretServiceCall.run(cancellable: cancellable, work)
        }
    }
}
