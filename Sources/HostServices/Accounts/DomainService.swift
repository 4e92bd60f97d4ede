package import DocentInterfaces
package import ExtensionHosting
import ExtensionManifest
import FoundationEssentials
package import HostCore
import Keyring
package import Records
package import RemoteDocuments
package import Rights
package import Transfers

/// The domain part of `org.docent.Administration`: accounts of providers, and folders of local ones.
package struct DomainService: Sendable {
    let registry: ProviderRegistry
    let consents: ProviderConsentStore
    let supervisor: ExtensionSupervisor
    let access: ProviderAccess
    let credentials: CredentialSource
    let limits: DomainTransferLimits
    let queue: TransferQueue
    let journal: OperationJournal
    let index: ItemIndex
    let deletions: PendingDeletions
    let changes: ContentChanges
    let remote: any RemoteAdministration
    let keeper: CredentialKeeper
    let turns: SignInTurns

    package init(
        registry: ProviderRegistry, consents: ProviderConsentStore, supervisor: ExtensionSupervisor,
        access: ProviderAccess, credentials: CredentialSource, limits: DomainTransferLimits, queue: TransferQueue,
        journal: OperationJournal, index: ItemIndex, deletions: PendingDeletions, changes: ContentChanges,
        remote: any RemoteAdministration, keeper: CredentialKeeper, turns: SignInTurns
    ) {
        self.keeper = keeper
        self.turns = turns
        self.registry = registry
        self.consents = consents
        self.supervisor = supervisor
        self.access = access
        self.credentials = credentials
        self.limits = limits
        self.queue = queue
        self.journal = journal
        self.index = index
        self.deletions = deletions
        self.changes = changes
        self.remote = remote
    }

    /// Runs when the daemon starts: loads the settings, closes the domains that are signed out, and reports at once
    /// which domains cannot sign in because their secret was lost with an earlier daemon.
    package func start() async throws {
        for domain in try await consents.domains() {
            let key = DomainKey(provider: domain.provider, domain: domain.identifier)
            if let signOut = domain.signOut { access.monitor.closed.close(key, signOut) }
            limits.update(key, settings: domain.settings)
            guard let credential = domain.credential, credential.source == .session else { continue }
            do {
                _ = try await credentials.secret(credential, for: key)
            } catch {
                access.monitor.note(
                    .refused(message: FailureMapping.failure(error).message), key.provider, key.domain)
            }
        }
    }

    // MARK: Reading

    /// The current state of one domain.
    package func domain(_ key: DomainKey) async throws -> Wire.Domain {
        guard let found = try await domains(key.provider).first(where: { $0.identifier == key.domain }) else {
            throw Failure(.notFound, "The domain was removed meanwhile.")
        }
        return found
    }

    /// All domains, including the default ones and those of uninstalled providers, because the secrets of the latter
    /// are still kept.
    package func domains(_ name: String?) async throws -> [Wire.Domain] {
        let all = try await registry.providers()
        var providers = all
        var orphans = try await consents.domains().filter { row in !all.contains { $0.identifier == row.provider } }
        if let name {
            let wanted = try await self.provider(name)
            providers.removeAll { $0.identifier != wanted }
            orphans.removeAll { $0.provider != wanted }
        }
        let counts = try await unsent()
        var result: [Wire.Domain] = []
        for provider in providers {
            let standard = ProviderDomain(
                provider: provider.identifier, identifier: "", displayName: provider.description.displayName)
            let own = provider.domains.contains { $0.identifier.isEmpty } ? [] : [standard]
            for domain in own + provider.domains { result.append(try await describe(domain, counts)) }
        }
        for domain in orphans { result.append(try await describe(domain, counts)) }
        return result
    }

    // An uninstalled provider can be named by its full identifier while it has domains.
    private func provider(_ name: String) async throws -> String {
        do {
            return try await registry.provider(name).identifier
        } catch {
            guard try await !consents.domains(of: name).isEmpty else { throw error }
            return name
        }
    }

    private func describe(
        _ domain: ProviderDomain, _ counts: [DomainKey: TransferService.Remainder]
    ) async throws -> Wire.Domain {
        let key = DomainKey(provider: domain.provider, domain: domain.identifier)
        let left = counts[key]
        await noteMissingSecret(domain, key)
        let state = access.monitor.state(domain.provider, domain.identifier)
        let bytes = try await index.localBytes(provider: domain.provider, domain: domain.identifier)
        let isAccount = domain.credential != nil || !domain.settings.isEmpty
        return Wire.Domain(
            provider: domain.provider, identifier: domain.identifier, displayName: domain.displayName,
            folder: domain.folderPath, settings: domain.settings.isEmpty ? nil : domain.settings,
            state: isAccount || state != .ready ? state.name : nil,
            message: state.message ?? access.monitor.closed.obstacle(key),
            pendingChanges: isAccount || left != nil ? left?.pending ?? 0 : nil,
            failedChanges: isAccount || left != nil ? left?.failed ?? 0 : nil,
            localBytes: isAccount || bytes > 0 ? Int(bytes) : nil, credential: domain.credential?.shown)
    }

    // Another program may have deleted the secret from the keyring while a provider's process still knows it.
    private func noteMissingSecret(_ domain: ProviderDomain, _ key: DomainKey) async {
        let monitor = access.monitor
        guard domain.credential?.source == .keyring, monitor.state(key.provider, key.domain) == .ready,
            await credentials.isMissing(domain.credential, for: key),
            // A login may have happened in the meantime.
            (try? await consents.domains(of: key.provider))?.first(where: { $0.identifier == key.domain })?.credential
                == domain.credential
        else { return }
        await access.forget(key)
        monitor.note(.refused(message: CredentialSource.missingText), key.provider, key.domain)
    }

    private func unsent() async throws -> [DomainKey: TransferService.Remainder] {
        var counts: [DomainKey: TransferService.Remainder] = [:]
        for row in try await journal.unsent(provider: nil, domain: nil) {
            let key = DomainKey(provider: row.provider, domain: row.domain)
            if row.state == .failed {
                counts[key, default: .init(pending: 0, failed: 0)].failed += 1
            } else {
                counts[key, default: .init(pending: 0, failed: 0)].pending += 1
            }
        }
        return counts
    }

    // MARK: Adding

    /// Adds a domain. Unless the check is disabled, the account's service is contacted at once, with the credential if
    /// there is one, and the account is added only if the service answers.
    ///
    /// - Returns: a sentence on what was found, or on why the service was not asked; none of them if it was not to be
    ///   asked.
    package func add(
        _ domain: Wire.Domain, credential given: Wire.Credential?, isUnchecked: Bool
    ) async throws -> AdministrationInterface.AddDomain.Reply {
        let (credential, secret) = try DomainCredential.reference(given)
        let provider = try await registry.addDomain(domain, credential: credential)
        let key = DomainKey(provider: provider, domain: domain.identifier)
        credentials.remember(secret, for: key)
        do {
            try await tell(key, isFolder: domain.folder != nil)
            guard !isUnchecked, credential != nil || domain.folder == nil else { return .init() }
            if credential != nil {
                try await access.signIn(provider, key.domain)
                return .init(found: "\(key.name) is signed in.")
            }
            return try await look(at: key)
        } catch {
            _ = try? await consents.removeDomain(key.domain, of: provider)
            credentials.remember(nil, for: key)
            try? await tell(key, isFolder: domain.folder != nil)
            throw error
        }
    }

    // Without a credential, nothing else would show that the service is unreachable or requires one.
    private func look(at key: DomainKey) async throws -> AdministrationInterface.AddDomain.Reply {
        // A provider that is not enabled cannot be contacted. Its accounts may be added before it is enabled.
        if let obstacle = await access.obstacle(key.provider) {
            return .init(
                notAsked: "\(key.name) was added, but its service was not asked: \(obstacle.message)",
                suggestion: obstacle.suggestion)
        }
        do {
            let page = try await access.call(
                FileProviderInterface.Children.self, .init(domain: key.domain, parent: ".root", page: nil),
                provider: key.provider, domain: key.domain, isForced: true)
            let count = page.items.count
            let items = page.nextPage != nil ? "more than \(count) items" : count == 1 ? "1 item" : "\(count) items"
            return .init(found: "\(key.name) answers, without a sign-in: \(items) in its top folder.")
        } catch let failure as Failure {
            var failure = failure
            if failure.asksForSignIn {
                failure.suggestion =
                    "`\(SignInWords.command(key))` with the same options adds it and signs in; --unchecked adds it "
                    + "without a check."
            }
            throw failure
        }
    }

    // MARK: Changing

    /// Changes a domain. A new credential is used to sign in at once; if that fails, nothing is changed.
    package func change(
        _ identifier: String, of name: String, displayName: String?, settings: [String: String]?,
        credential given: Wire.Credential?
    ) async throws -> Wire.Domain {
        let (credential, secret) = try DomainCredential.reference(given)
        if credential != nil {
            let key = DomainKey(provider: try await registry.provider(name).identifier, domain: identifier)
            return try await turns.run(key, "signed in") {
                try await change(identifier, of: name, displayName, settings, credential, secret)
            }
        }
        return try await change(identifier, of: name, displayName, settings, nil, nil)
    }

    private func change(
        _ identifier: String, of name: String, _ displayName: String?, _ settings: [String: String]?,
        _ credential: CredentialReference?, _ secret: Secret?
    ) async throws -> Wire.Domain {
        try await giveUpDeletions(identifier, of: name, settings ?? [:], credential)
        let before = try await registry.changeDomain(identifier, of: name) { domain in
            var domain = domain
            if let displayName, !displayName.isEmpty { domain.displayName = displayName }
            domain.settings = try DomainSettings.merged(domain.settings, with: settings ?? [:])
            if let credential {
                guard domain.signOut == nil || domain.signOut == .signedOut else {
                    throw SignInWords.refusal(
                        DomainKey(provider: domain.provider, domain: domain.identifier), .signingOut)
                }
                domain.credential = credential
                domain.signOut = nil
            }
            return domain
        }
        let key = DomainKey(provider: before.provider, domain: identifier)
        let known = before.credential?.source == .session ? credentials.remembered(key) : nil
        if credential != nil {
            credentials.remember(secret, for: key)
            // The provider is called to sign in, so the domain has to be open.
            access.monitor.closed.open(key)
        }
        do {
            try await tell(key, isFolder: false)
            if credential != nil { try await access.signIn(key.provider, key.domain) }
        } catch {
            if let signOut = before.signOut { access.monitor.closed.close(key, signOut) }
            try? await consents.setDomain(before)
            credentials.remember(known, for: key)
            try? await tell(key, isFolder: false)
            throw error
        }
        // Credentials that an earlier login stored are no longer needed.
        if credential != nil { await keeper.deleteOthers(than: credential, of: key) }
        return try await domain(key)
    }

    // A deletion in one account is not carried out in another.
    private func giveUpDeletions(
        _ identifier: String, of name: String, _ settings: [String: String], _ credential: CredentialReference?
    ) async throws {
        let provider = try await registry.provider(name)
        guard let known = provider.domains.first(where: { $0.identifier == identifier }) else { return }
        var changed = known
        changed.settings = try DomainSettings.merged(known.settings, with: settings)
        changed.credential = credential ?? known.credential
        guard AccountChange.isOther(known, changed) else { return }
        _ = try await deletions.abandon(DomainKey(provider: provider.identifier, domain: identifier))
    }

    // MARK: Removing

    /// Removes a domain. Refused while changes are waiting to be sent, or deletions to be carried out, unless forced;
    /// forced, the changes are kept as versions, and what was to be deleted stays at the service.
    ///
    /// - Parameter leavesSecret: continue even if the credential cannot be deleted because its keyring cannot be
    ///   opened.
    /// - Returns: a sentence on where the credential remains, nil if it was deleted; and where the items are that stay
    ///   at the service although they were deleted.
    package func remove(
        _ identifier: String, of name: String, isForced: Bool, leavesSecret: Bool
    ) async throws -> (left: String?, undeleted: [String]) {
        let key = DomainKey(provider: try await provider(name), domain: identifier)
        guard let domain = try await consents.domains(of: key.provider).first(where: { $0.identifier == identifier })
        else { throw Failure(.notFound, "\(key.provider) has no domain \"\(identifier)\".") }
        return try await turns.run(key, "signed out") { try await remove(domain, key, isForced, leavesSecret) }
    }

    // The secret is deleted before the record that refers to it, else it could not be found any more.
    private func remove(
        _ domain: ProviderDomain, _ key: DomainKey, _ isForced: Bool, _ leavesSecret: Bool
    ) async throws -> (left: String?, undeleted: [String]) {
        let waiting = try await journal.unsent(provider: key.provider, domain: key.domain).count
        guard waiting == 0 || isForced else {
            throw Failure(
                .conflict,
                waiting == 1
                    ? "A change of \(key.name) has not been sent yet."
                    : "\(waiting) changes of \(key.name) have not been sent yet.",
                suggestion: "Wait with `docent drain`, or remove it with --force, which keeps the changes as versions.",
                provider: key.provider)
        }
        let deleting = try await deletions.all(in: key).count
        guard deleting == 0 || isForced else {
            throw Failure(
                .conflict,
                deleting == 1
                    ? "A deletion of \(key.name) has not been carried out yet."
                    : "\(deleting) deletions of \(key.name) have not been carried out yet.",
                suggestion: "`docent trash list` shows what is to be deleted, and `docent trash empty` does it now. "
                    + "With --force it stays at the service.", provider: key.provider)
        }
        await queue.cancelAll { $0.key.account == key }
        let undeleted = try await deletions.abandon(key)
        try await remote.removeContent(of: key)
        let left: String?
        do {
            left = try await turns.commit(key) {
                let left = try await keeper.deleteAll(domain.credential, of: key, leaving: leavesSecret)
                try await consents.removeDomain(key.domain, of: key.provider)
                return left
            }
        } catch let locked as LockedCredential {
            throw Failure(
                .unavailable,
                "The credential of \(key.name) cannot be deleted: \(locked.failure.message)",
                suggestion:
                    "Unlock the keyring and remove the domain again. If the keyring is gone, add --leave-secret: the "
                    + "domain is removed, and you are told where the credential remains.", provider: key.provider)
        }
        access.monitor.closed.open(key)
        // Ends transfers that began in the meantime.
        await queue.cancelAll { $0.key.account == key }
        limits.update(key, settings: [:])
        try await tell(key, isFolder: domain.folderPath != nil)
        return (left, undeleted)
    }

    // A sandbox gets its folders when it is created, so a folder change stops the process. Other changes are reported
    // to the running process.
    func tell(_ key: DomainKey, isFolder: Bool) async throws {
        await access.forget(key)
        guard try await registry.providers().contains(where: { $0.identifier == key.provider }) else { return }
        let provider = try await registry.provider(key.provider)
        limits.update(key, settings: provider.domains.first { $0.identifier == key.domain }?.settings ?? [:])
        if isFolder {
            await supervisor.stop(key.provider)
        } else {
            await supervisor.introduceAgain(provider)
        }
        changes.providerChanged(key.provider, domain: isFolder ? nil : key.domain)
    }
}
