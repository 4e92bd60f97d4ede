import DocentInterfaces
package import Isolation
import Varlink

/// Which process of a provider was given the secret of which domain; those who need it at the same time share one sign-in.
package actor SignIns {
    private struct Entry {
        /// The process's connection that knows the secret; it may be gone.
        weak var connection: ExtensionConnection?
        var generation = 0
        var running: Task<String?, any Error>?
        /// What was refused last, so that another secret is tried at once.
        var refused: String?
    }

    private let source: CredentialSource
    private var entries: [DomainKey: Entry] = [:]

    package init(source: CredentialSource) { self.source = source }

    /// Signs in where this process was not given the secret yet.
    ///
    /// - Returns: the number of the sign-in that holds, for ``renew(_:_:after:)``.
    /// - Throws: ``Failure``.
    package func ensure(_ domain: ProviderDomain, _ connection: ExtensionConnection) async throws -> Int {
        let key = DomainKey(provider: domain.provider, domain: domain.identifier)
        if entries[key]?.connection !== connection { _ = try await signIn(domain, connection, key) }
        return entries[key]?.generation ?? 0
    }

    /// Signs in again, with the secret read again, unless somebody did so since the given sign-in.
    package func renew(_ domain: ProviderDomain, _ connection: ExtensionConnection, after generation: Int) async throws
    {
        let key = DomainKey(provider: domain.provider, domain: domain.identifier)
        guard (entries[key]?.generation ?? 0) <= generation || entries[key]?.connection !== connection else { return }
        _ = try await signIn(domain, connection, key)
    }

    /// Signs in now, whatever was done before.
    ///
    /// - Returns: the name that the service shows for the account.
    package func signIn(_ domain: ProviderDomain, _ connection: ExtensionConnection) async throws -> String? {
        try await signIn(domain, connection, DomainKey(provider: domain.provider, domain: domain.identifier))
    }

    /// Forgets a domain: its credential or its settings have changed, or it is gone.
    package func forget(_ key: DomainKey) { entries[key] = nil }

    /// Whether the secret of a domain is another one than that which was refused.
    package func hasNewSecret(_ domain: ProviderDomain) -> Bool {
        let key = DomainKey(provider: domain.provider, domain: domain.identifier)
        guard let credential = domain.credential, let secret = try? source.secret(credential, for: key) else {
            return false
        }
        return secret != entries[key]?.refused
    }

    private func signIn(
        _ domain: ProviderDomain, _ connection: ExtensionConnection, _ key: DomainKey
    ) async throws -> String? {
        guard let credential = domain.credential else { return nil }
        if let running = entries[key]?.running { return try await running.value }
        let source = source
        // Not the caller's task: others wait for it too.
        let task = Task { () async throws -> String? in
            let secret = try source.secret(credential, for: key)
            do {
                return try await connection.call(
                    FileProviderInterface.SignIn.self,
                    .init(
                        domain: key.domain, kind: credential.kind.rawValue, username: credential.username,
                        secret: secret)
                ).value.displayName
            } catch {
                let failure = FailureMapping.failure(error)
                if failure.code == .notAuthenticated { self.noteRefused(secret, key) }
                throw failure
            }
        }
        entries[key, default: Entry()].running = task
        defer { if entries[key]?.running == task { entries[key]?.running = nil } }
        let name = try await task.value
        entries[key, default: Entry()].connection = connection
        entries[key]?.generation += 1
        entries[key]?.refused = nil
        return name
    }

    private func noteRefused(_ secret: String, _ key: DomainKey) { entries[key, default: Entry()].refused = secret }
}
