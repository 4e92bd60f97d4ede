import DocentInterfaces
package import ExtensionHosting
package import HostCore
package import Keyring
package import Rights
import Varlink

/// Records which process of a provider was given which domain's secret. Concurrent callers share one sign-in.
package actor SignIns {
    private struct Entry {
        /// The connection to the process that knows the secret; it may be gone.
        weak var connection: ExtensionConnection?
        var generation = 0
        var running: Task<String?, any Error>?
        /// When the keyring was last asked whether it still has the secret.
        var confirmed = ContinuousClock.now
        /// The secret that was refused last, so that a different one is tried at once.
        var refused: Secret?
    }

    private let source: CredentialSource
    private let keeper: CredentialKeeper
    private let consents: ProviderConsentStore
    private let closed: ClosedDomains
    private let turns: SignInTurns
    private var entries: [DomainKey: Entry] = [:]
    /// The number of logins of each domain in this process, and the last login that the provider was given: a renewed
    /// secret may stem from an earlier one.
    private var logins: [DomainKey: Int] = [:]
    private var told: [DomainKey: Int] = [:]

    package init(
        source: CredentialSource, keeper: CredentialKeeper, consents: ProviderConsentStore, closed: ClosedDomains,
        turns: SignInTurns
    ) {
        self.source = source
        self.keeper = keeper
        self.consents = consents
        self.closed = closed
        self.turns = turns
    }

    // MARK: Renewed secrets

    /// Stores the secret that an extension signs a domain in with from now on, for example a refreshed token. Durable
    /// when it returns; the next process gets this secret.
    ///
    /// - Throws: ``Failure``: `NotAuthenticated` for a domain that is signed out or being signed out; `NotSupported`
    ///   when the secret is in a file of the user or of systemd. ``LockedCredential``.
    package func save(
        provider: String, domain: String, kind: CredentialReference.Kind, username: String?, secret: Secret
    ) async throws {
        let key = DomainKey(provider: provider, domain: domain)
        let (source, keeper, consents, closed) = (source, keeper, consents, closed)
        try await turns.commit(key) {
            try closed.require(key)
            guard await self.isTold(key) else {
                throw Failure(
                    .notAuthenticated, "\(key.name) was signed in again meanwhile.",
                    suggestion: "Try again.",
                    provider: provider)
            }
            guard var domain = try await consents.domains(of: provider).first(where: { $0.identifier == domain }),
                let former = domain.credential
            else {
                throw Failure(
                    .notAuthenticated, "\(key.name) is not signed in.",
                    suggestion: SignInWords.suggestion(key), provider: provider)
            }
            var now = former
            now.kind = kind
            now.username = username ?? former.username
            switch former.source {
            case .session: source.remember(secret, for: key)
            case .keyring:
                guard let rung = former.rung.flatMap(CredentialRung.init) else {
                    throw Failure(.failed, "The place of the secret is not known.", provider: provider)
                }
                try await keeper.store(secret, of: key, account: now.username, on: rung)
            case .file, .systemd:
                throw Failure(
                    .notSupported, "The secret of \(key.name) is in a file that Docent does not change.",
                    suggestion: SignInWords.suggestion(key), provider: provider)
            }
            guard now != former else { return }
            domain.credential = now
            try await consents.setDomain(domain)
            if now.username != former.username { await keeper.deleteOthers(than: now, of: key) }
        }
    }

    /// Records a new login. A secret that the provider renews from an earlier login is no longer stored.
    package func replaced(_ key: DomainKey) { logins[key, default: 0] += 1 }

    private func isTold(_ key: DomainKey) -> Bool { told[key, default: 0] == logins[key, default: 0] }

    /// Signs in, unless this process was already given the secret.
    ///
    /// - Returns: the number of the current sign-in, for ``renew(_:_:after:)``.
    /// - Throws: ``Failure``.
    package func ensure(_ domain: ProviderDomain, _ connection: ExtensionConnection) async throws -> Int {
        let key = DomainKey(provider: domain.provider, domain: domain.identifier)
        if entries[key]?.connection !== connection {
            let login = logins[key, default: 0]
            do {
                _ = try await signIn(domain, connection, key)
            } catch {
                // The refused secret may predate a login that has happened since.
                guard FailureMapping.failure(error).asksForSignIn, logins[key, default: 0] != login else {
                    throw error
                }
                _ = try await signIn(try await current(domain), connection, key)
            }
        } else {
            confirm(domain, key)
        }
        return entries[key]?.generation ?? 0
    }

    /// How long a process may continue with a secret that was removed from its keyring.
    private static let confirmation: Duration = .seconds(60)

    // Runs in the background: the next call finds the domain signed out.
    private func confirm(_ domain: ProviderDomain, _ key: DomainKey) {
        guard domain.credential?.source == .keyring, let entry = entries[key],
            .now - entry.confirmed > Self.confirmation
        else { return }
        entries[key]?.confirmed = .now
        let login = logins[key, default: 0]
        Task {
            guard await source.isMissing(domain.credential, for: key), logins[key, default: 0] == login else { return }
            forget(key)
        }
    }

    /// Signs in again with the secret read again, unless that has been done since the given sign-in.
    package func renew(_ domain: ProviderDomain, _ connection: ExtensionConnection, after generation: Int) async throws
    {
        let key = DomainKey(provider: domain.provider, domain: domain.identifier)
        guard (entries[key]?.generation ?? 0) <= generation || entries[key]?.connection !== connection else { return }
        _ = try await signIn(try await current(domain), connection, key)
    }

    private func current(_ domain: ProviderDomain) async throws -> ProviderDomain {
        try await consents.domains(of: domain.provider).first { $0.identifier == domain.identifier } ?? domain
    }

    /// Signs in now, even if the process is already signed in.
    ///
    /// - Returns: the account name that the service shows.
    package func signIn(_ domain: ProviderDomain, _ connection: ExtensionConnection) async throws -> String? {
        try await signIn(domain, connection, DomainKey(provider: domain.provider, domain: domain.identifier))
    }

    /// Forgets a domain's sign-in: its credential or its settings have changed, or it is gone.
    package func forget(_ key: DomainKey) { entries[key] = nil }

    /// Whether the secret of a domain differs from the one that was refused.
    ///
    /// A secret stored by a login changes only by another login, which is reported; the keyring is not read again for
    /// it.
    package func hasNewSecret(_ domain: ProviderDomain) async -> Bool {
        let key = DomainKey(provider: domain.provider, domain: domain.identifier)
        guard let credential = domain.credential, credential.source != .keyring,
            let secret = try? await source.secret(credential, for: key)
        else { return false }
        return secret != entries[key]?.refused
    }

    private func signIn(
        _ domain: ProviderDomain, _ connection: ExtensionConnection, _ key: DomainKey
    ) async throws -> String? {
        guard let credential = domain.credential else { return nil }
        if let running = entries[key]?.running { return try await running.value }
        let login = logins[key, default: 0]
        told[key] = login
        let source = source
        // Not the caller's task: others wait for it too.
        let task = Task { () async throws -> String? in
            let secret = try await source.secret(credential, for: key)
            do {
                return try await connection.call(
                    FileProviderInterface.SignIn.self,
                    .init(
                        domain: key.domain, kind: credential.kind.rawValue, username: credential.username,
                        secret: secret.text)
                ).value.displayName
            } catch {
                let failure = FailureMapping.failure(error)
                if failure.asksForSignIn { self.noteRefused(secret, key) }
                throw failure
            }
        }
        entries[key, default: Entry()].running = task
        defer { if entries[key]?.running == task { entries[key]?.running = nil } }
        let name = try await task.value
        // Otherwise the process knows the secret of an earlier login.
        guard logins[key, default: 0] == login else { return name }
        entries[key, default: Entry()].connection = connection
        entries[key]?.confirmed = .now
        entries[key]?.generation += 1
        entries[key]?.refused = nil
        return name
    }

    private func noteRefused(_ secret: Secret, _ key: DomainKey) { entries[key, default: Entry()].refused = secret }
}
