package import DocentInterfaces
import ExtensionHosting
import ExtensionManifest
import FoundationEssentials
package import HostCore
import Keyring
package import RemoteDocuments
import Rights
package import Storage
import Transfers

/// Signs domains in: collects a person's answers, has the service verify them, and only then stores the result.
///
/// The order of steps leaves the old or the new state after a kill: the service accepts the credential, the secret is
/// stored, then one transaction refers to it. The next login or logout replaces or deletes a secret that nothing refers
/// to.
package struct LoginService: Sendable {
    /// How long a person may take in the browser.
    static let browserPatience = Duration.seconds(15 * 60)

    let domains: DomainService
    let keeper: CredentialKeeper
    let turns: SignInTurns
    /// The current login attempts.
    package let attempts: LoginAttempts
    let resume: @Sendable (DomainKey) async -> Void
    let crash: SignInCrashPoint

    /// - Parameters:
    ///   - resume: queues the unsent changes of a domain.
    ///   - crash: for tests; called after each durable step.
    package init(
        domains: DomainService, keeper: CredentialKeeper, turns: SignInTurns, attempts: LoginAttempts,
        crash: @escaping SignInCrashPoint, resume: @escaping @Sendable (DomainKey) async -> Void
    ) {
        self.domains = domains
        self.keeper = keeper
        self.turns = turns
        self.attempts = attempts
        self.crash = crash
        self.resume = resume
    }

    // MARK: Preparation

    /// What a person will be asked, and where the secret will be stored.
    ///
    /// - Throws: ``Failure`` `NotSupported` for a provider that takes no credential.
    package func prepare(
        _ name: String, _ domain: String, sealedFile: Bool
    ) async throws -> AdministrationInterface.PrepareLogin.Reply {
        let (provider, key, known) = try await find(name, domain)
        let connection = try await domains.supervisor.connection(provider, .fileProvider)
        let forms = try await SignInForms(connection)
        return .init(
            provider: key.provider, domain: known == nil ? nil : try await domains.domain(key),
            forms: forms.filled(from: known),
            storage: Self.wire(await keeper.ladder.storage(allowingSealedFile: sealedFile)))
    }

    func find(_ name: String, _ domain: String) async throws -> (KnownProvider, DomainKey, ProviderDomain?) {
        let provider = try await domains.registry.usable(name)
        if !domain.isEmpty { try ProviderRegistry.requireName(domain) }
        let known = provider.domains.first { $0.identifier == domain }
        return (provider, DomainKey(provider: provider.identifier, domain: domain), known)
    }

    // MARK: The login

    /// Signs a domain in, and adds it if it does not exist. A refusal stores nothing.
    ///
    /// - Parameter step: called with each step that the person has to take.
    /// - Throws: ``Failure``: `NotAuthenticated` with the service's message; `Conflict` while the domain is being
    ///   signed in or out; `Unavailable` if the secret could not be stored.
    package func login(
        _ given: AdministrationInterface.Login.Parameters, step: (Wire.SignInStep) async throws -> Void
    ) async throws -> (domain: Wire.Domain, storage: Wire.CredentialStorage) {
        let (provider, key, known) = try await find(given.provider, given.domain)
        return try await turns.run(key, "signed in") {
            let place = try await place(given, key)
            let result = try await LoginTrial(self, provider, key, known).run(given, step)
            crash(.loginTaken)
            // The caller may disconnect from here on; stopping half-way would leave neither the old state nor the new.
            let domain = try await Task {
                try await turns.commit(key) {
                    try await keep(result, key, known, place, given.displayName, provider)
                    await domains.access.signIns.replaced(key)
                }
                crash(.loginRecorded)
                return try await open(key, after: known?.signOut)
            }.value
            return (domain, place.wire)
        }
    }

    /// Where a new secret is stored.
    struct Place: Sendable {
        /// nil: only in memory.
        var rung: CredentialRung?
        var wire: Wire.CredentialStorage
    }

    // Checked before the service is contacted: a one-time code would be wasted otherwise.
    private func place(_ given: AdministrationInterface.Login.Parameters, _ key: DomainKey) async throws -> Place {
        if given.session == true { return Place(wire: Self.memory) }
        let state = await keeper.ladder.storage(allowingSealedFile: given.sealedFile == true)
        guard let rung = state.rung, state.isWritable else {
            throw Failure(
                .unavailable, "There is no place to store the secret: \(state.reason)",
                suggestion: [state.remedy, "Or keep it in memory only: \(SignInWords.command(key)) --session"]
                    .compactMap { $0 }.joined(separator: " "), provider: key.provider)
        }
        if state.isLocked {
            do throws(KeyringError) { try await keeper.ladder.unlock(rung) } catch {
                throw LockedCredential(error, key).failure
            }
        }
        return Place(rung: rung, wire: Self.wire(state))
    }

    // MARK: Storing

    private func keep(
        _ result: SignInResult, _ key: DomainKey, _ known: ProviderDomain?, _ place: Place, _ displayName: String?,
        _ provider: KnownProvider
    ) async throws {
        let reference = CredentialReference(
            kind: result.kind, source: place.rung == nil ? .session : .keyring, username: result.username,
            rung: place.rung?.rawValue)
        let domain = try Self.domain(known, key, result, reference, displayName, provider)
        // A deletion in one account is not carried out in another.
        if AccountChange.isOther(known, domain) { _ = try await domains.deletions.abandon(key) }
        // The new secret takes the old one's place in the keyring but belongs to another service. After a kill in
        // between, the new secret must not be sent to the old service.
        let replaces =
            known?.credential.map { $0.source == .keyring && $0.rung == reference.rung } == true
            && known?.credential?.username == reference.username
        if replaces, var former = known, former.settings["url"] != domain.settings["url"] {
            former.credential = nil
            try await domains.consents.setDomain(former)
        }
        let old = replaces ? await keeper.stored(known?.credential, of: key) : nil
        do {
            if let rung = place.rung {
                try await keeper.store(result.secret, of: key, account: result.username, on: rung)
                crash(.secretStored)
            }
            try await domains.consents.setDomain(domain)
        } catch {
            await restore(old, known, key, place)
            throw error
        }
        domains.credentials.remember(place.rung == nil ? result.secret : nil, for: key)
        await keeper.deleteOthers(than: reference, of: key)
    }

    private func restore(_ old: Secret?, _ known: ProviderDomain?, _ key: DomainKey, _ place: Place) async {
        if let known { try? await domains.consents.setDomain(known) }
        if let rung = place.rung, let old, let credential = known?.credential {
            try? await keeper.store(old, of: key, account: credential.username, on: rung)
        } else {
            await keeper.deleteOthers(than: known?.credential, of: key)
        }
    }

    private static func domain(
        _ known: ProviderDomain?, _ key: DomainKey, _ result: SignInResult, _ reference: CredentialReference,
        _ displayName: String?, _ provider: KnownProvider
    ) throws -> ProviderDomain {
        let own = (known?.settings ?? [:]).filter { DomainSettings.ofHost.contains($0.key) }
        let given = displayName.flatMap { $0.isEmpty ? nil : $0 }
        return ProviderDomain(
            provider: key.provider, identifier: key.domain,
            displayName: given ?? known?.displayName
                ?? (key.domain.isEmpty ? provider.description.displayName : key.domain),
            folderPath: known?.folderPath,
            settings: try DomainSettings.merged(
                own, with: result.settings.filter { !DomainSettings.ofHost.contains($0.key) }),
            credential: reference, signOut: nil, created: known?.created ?? .now)
    }

    // MARK: After the login

    // Resumes what was waiting for the login.
    private func open(_ key: DomainKey, after signOut: ProviderDomain.SignOut?) async throws -> Wire.Domain {
        if let signOut {
            // A logout that a locked keyring interrupted has already done this. Changes that arrived later are settled
            // here.
            _ = try? await domains.remote.settleUnsent(of: key, discards: signOut == .discarding)
            _ = try? await domains.deletions.abandon(key)
            try? await domains.remote.removeCopies(of: key)
        }
        domains.access.monitor.closed.open(key)
        try await domains.tell(key, isFolder: false)
        await resume(key)
        await domains.queue.retry { $0.key.account == key && $0.state != .failed }
        return try await domains.domain(key)
    }

    // MARK: Texts

    static func wire(_ state: CredentialStorageState) -> Wire.CredentialStorage {
        Wire.CredentialStorage(
            rung: state.rung?.rawValue ?? "none", name: state.name, isWritable: state.isWritable,
            protection: state.protection, reason: state.reason, remedy: state.remedy)
    }

    private static let memory = Wire.CredentialStorage(
        rung: "none", name: "the daemon's memory", isWritable: true,
        protection: "It is not on any disk, and is gone when the daemon ends.", reason: "You asked for it.")
}
