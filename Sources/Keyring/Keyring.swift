import Dispatch

/// The user's secrets in the Secret Service, through libsecret.
///
/// Calls wait on a thread of their own, one after the other, never on the cooperative pool; each has a deadline
/// (law 5). A locked collection makes the desktop ask its user for the password, and that waiting counts too. Secrets
/// are bytes; they are never written to a log and appear in no error.
package final class Keyring: Sendable {
    /// How long a call may take, from the moment it is made.
    package let deadline: Duration

    /// One for the process, as libsecret's connection is.
    private static let queue = DispatchQueue(label: "org.docent.keyring")
    private static let timers = DispatchQueue(label: "org.docent.keyring.deadlines")

    /// Makes a keyring; nothing is contacted before the first call.
    package init(deadline: Duration = .seconds(60)) { self.deadline = deadline }

    /// Stores a secret, in place of one that has the same key.
    ///
    /// - Parameters:
    ///   - secret: any bytes.
    ///   - label: how keyring programs show it to the user.
    package func store(_ secret: [UInt8], for key: CredentialKey, label: String) async throws(KeyringError) {
        try await perform { service throws(KeyringError) in
            try service.store(secret, attributes: CredentialQuery(key).attributes, label: label)
        }
    }

    /// The secret of a key.
    ///
    /// - Returns: nil when there is none, which is not an error.
    package func secret(for key: CredentialKey) async throws(KeyringError) -> [UInt8]? {
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

    /// The keys of the secrets that a query means, without the secrets, in no particular order. Nothing is unlocked for it.
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
            case .cancelled, .invalidKey, .failed: return .failed(error.description)
            }
        }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (SecretServiceCall) throws(KeyringError) -> Value
    ) async throws(KeyringError) -> Value {
        let answer = Answer<Value>()
        Self.queue.async {
            guard answer.isOpen else { return }
            answer.give(SecretServiceCall.run(cancellable: answer.cancellable, work))
        }
        Self.timers.asyncAfter(deadline: .now() + deadline.dispatchInterval) { [weak answer] in
            answer?.interrupt(.timedOut)
        }
        let outcome = await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            answer.interrupt(.cancelled)
        }
        return try outcome.get()
    }
}

extension Duration {
    fileprivate var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        return .milliseconds(Int(clamping: min(max(seconds, 0), 86_400) * 1000 + attoseconds / 1_000_000_000_000_000))
    }
}
