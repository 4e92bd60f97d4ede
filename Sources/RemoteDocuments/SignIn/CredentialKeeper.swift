import DocentInterfaces
package import HostCore
package import Keyring
package import Logging
package import Rights

/// Stores and deletes the secrets that domains sign in with. Callers hold the domain's turn (``SignInTurns``), and
/// record the outcome.
///
/// Thread-safe. Every call is bounded by the ladder's deadline, and an unlock prompt by its own.
package struct CredentialKeeper: Sendable {
    package let ladder: CredentialLadder
    private let source: CredentialSource
    private let logger: Logger

    package init(ladder: CredentialLadder, source: CredentialSource, logger: Logger) {
        self.ladder = ladder
        self.source = source
        self.logger = logger
    }

    /// Stores a secret, replacing one of the same account. If its keyring is locked, the user is asked once.
    ///
    /// - Throws: ``LockedCredential``; ``Failure``. The old secret is still there then.
    package func store(
        _ secret: Secret, of domain: DomainKey, account: String?, on rung: CredentialRung
    ) async throws {
        let key = CredentialKey.domain(domain, account: account)
        let label = "Docent: \(account.map { "\($0) at " } ?? "")\(domain.name)"
        do throws(KeyringError) {
            try await unlocking(rung) { () throws(KeyringError) in
                try await ladder.store(secret, for: key, label: label, on: rung)
            }
        } catch {
            throw Self.failure(error, domain)
        }
    }

    /// The secret that is stored for an account; nil also when that cannot be determined.
    package func stored(_ reference: CredentialReference?, of domain: DomainKey) async -> Secret? {
        guard let reference, reference.source == .keyring, let rung = reference.rung.flatMap(CredentialRung.init) else {
            return nil
        }
        return try? await ladder.secret(for: .domain(domain, account: reference.username), on: rung)
    }

    /// Deletes everything that is stored for a domain, where its credential says and on all other reachable rungs.
    ///
    /// - Parameters:
    ///   - reference: what the domain signs in with; nil when that is not known.
    ///   - asking: whether the user may be asked to unlock the keyring, once.
    ///   - leaving: leaves the secret if the rung that the credential names cannot be used, instead of failing; the
    ///     user is not asked then.
    /// - Returns: where the secret still is, in sentences for people; nil when it is deleted.
    /// - Throws: ``LockedCredential`` when the rung that the credential names cannot be used: the secret is still
    ///   there.
    @discardableResult
    package func deleteAll(
        _ reference: CredentialReference?, of domain: DomainKey, asking: Bool = true, leaving: Bool = false
    ) async throws -> String? {
        source.remember(nil, for: domain)
        var left: String?
        let named = reference?.source == .keyring ? reference?.rung.flatMap(CredentialRung.init) : nil
        if let named {
            do throws(KeyringError) {
                try await unlocking(named, asking: asking && !leaving) { () throws(KeyringError) in
                    _ = try await ladder.delete(Self.query(domain), on: named)
                }
            } catch {
                guard leaving else { throw Self.failure(error, domain) }
                left = Self.left(in: ladder.place(of: named), named, domain)
                logger.warning("a secret was left behind", metadata: ["rung": "\(named)", "why": "\(error)"])
            }
        }
        await deleteElsewhere(domain, besides: named)
        return left
    }

    // Says where a remaining secret is, and how to delete it.
    private static func left(in place: String, _ rung: CredentialRung, _ domain: DomainKey) -> String {
        let attributes = "provider \(domain.provider) domain \(domain.domain.isEmpty ? "\"\"" : domain.domain)"
        let text = "Its secret could not be deleted, and is still in \(place), with the attributes \(attributes)."
        guard rung == .secretService else { return text + " The next login of the account there replaces it." }
        return text
            + " When that keyring can be opened: secret-tool clear xdg:schema org.docent.Credential \(attributes)"
    }

    /// Deletes secrets of former accounts of a domain or of an interrupted login. Those that cannot be reached are left
    /// for the next time.
    package func deleteOthers(than reference: CredentialReference?, of domain: DomainKey) async {
        let named = reference?.source == .keyring ? reference?.rung.flatMap(CredentialRung.init) : nil
        if let named {
            let own = CredentialKey.domain(domain, account: reference?.username)
            for key in (try? await ladder.list(Self.query(domain), on: named)) ?? [] where key != own {
                _ = try? await ladder.delete(CredentialQuery(key), on: named)
            }
        }
        await deleteElsewhere(domain, besides: named)
    }

    private func deleteElsewhere(_ domain: DomainKey, besides named: CredentialRung?) async {
        for rung in CredentialRung.allCases where rung != named && rung != .systemd {
            guard await ladder.state(of: rung) == .usable else { continue }
            do {
                if try await ladder.delete(Self.query(domain), on: rung) {
                    logger.notice("an earlier secret was deleted", metadata: ["rung": "\(rung)"])
                }
            } catch {
                logger.info("a place for secrets was not searched", metadata: ["rung": "\(rung)", "why": "\(error)"])
            }
        }
    }

    private static func query(_ domain: DomainKey) -> CredentialQuery {
        CredentialQuery(
            accessGroup: CredentialKey.domainGroup(domain.provider), provider: domain.provider, domain: domain.domain)
    }

    private func unlocking(
        _ rung: CredentialRung, asking: Bool = true, _ body: () async throws(KeyringError) -> Void
    ) async throws(KeyringError) {
        do throws(KeyringError) {
            try await body()
        } catch {
            guard asking, error == .locked else { throw error }
            try await ladder.unlock(rung)
            try await body()
        }
    }

    private static func failure(_ error: KeyringError, _ domain: DomainKey) -> any Error {
        switch error {
        case .invalidKey: Failure(.invalidArgument, error.description)
        default: LockedCredential(error, domain)
        }
    }
}
