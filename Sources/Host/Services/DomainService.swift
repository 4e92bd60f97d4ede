package import DocentInterfaces
import ExtensionManifest
import FoundationEssentials
package import Isolation

/// Answers what `org.docent.Administration` asks of domains: accounts of providers, and folders of local ones.
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
    let changes: ContentChanges
    let remote: any RemoteAdministration

    package init(
        registry: ProviderRegistry, consents: ProviderConsentStore, supervisor: ExtensionSupervisor,
        access: ProviderAccess, credentials: CredentialSource, limits: DomainTransferLimits, queue: TransferQueue,
        journal: OperationJournal, index: ItemIndex, changes: ContentChanges, remote: any RemoteAdministration
    ) {
        self.registry = registry
        self.consents = consents
        self.supervisor = supervisor
        self.access = access
        self.credentials = credentials
        self.limits = limits
        self.queue = queue
        self.journal = journal
        self.index = index
        self.changes = changes
        self.remote = remote
    }

    /// At the start of the daemon: takes in the settings, and says at once which domains cannot sign in because their secret went with an
    /// earlier daemon.
    package func start() async throws {
        for domain in try await consents.domains() {
            let key = DomainKey(provider: domain.provider, domain: domain.identifier)
            limits.update(key, settings: domain.settings)
            guard let credential = domain.credential, credential.source == .session else { continue }
            do throws(Failure) {
                _ = try credentials.secret(credential, for: key)
            } catch {
                access.monitor.note(.refused(message: error.message), key.provider, key.domain)
            }
        }
    }

    // MARK: Looking

    /// Every domain, the default ones included.
    package func domains(_ name: String?) async throws -> [Wire.Domain] {
        var providers = try await registry.providers()
        if let name {
            let wanted = try await registry.provider(name).identifier
            providers.removeAll { $0.identifier != wanted }
        }
        let counts = try await unsent()
        var result: [Wire.Domain] = []
        for provider in providers {
            let standard = ProviderDomain(
                provider: provider.identifier, identifier: "", displayName: provider.description.displayName)
            for domain in [standard] + provider.domains { result.append(try await describe(domain, counts)) }
        }
        return result
    }

    private func describe(
        _ domain: ProviderDomain, _ counts: [DomainKey: TransferService.Remainder]
    ) async throws -> Wire.Domain {
        let key = DomainKey(provider: domain.provider, domain: domain.identifier)
        let left = counts[key]
        let state = access.monitor.state(domain.provider, domain.identifier)
        let bytes = try await index.localBytes(provider: domain.provider, domain: domain.identifier)
        let isAccount = domain.credential != nil || !domain.settings.isEmpty
        return Wire.Domain(
            provider: domain.provider, identifier: domain.identifier, displayName: domain.displayName,
            folder: domain.folderPath, settings: domain.settings.isEmpty ? nil : domain.settings,
            state: isAccount || state != .ready ? state.name : nil, message: state.message,
            pendingChanges: isAccount || left != nil ? left?.pending ?? 0 : nil,
            failedChanges: isAccount || left != nil ? left?.failed ?? 0 : nil,
            localBytes: isAccount || bytes > 0 ? Int(bytes) : nil, credential: domain.credential?.shown)
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

    /// Adds a domain. With a credential it signs in at once, and is added only if that works, unless it is not to be checked.
    package func add(_ domain: Wire.Domain, credential given: Wire.Credential?, isUnchecked: Bool) async throws {
        let (credential, secret) = try DomainCredential.reference(given)
        let provider = try await registry.addDomain(domain, credential: credential)
        let key = DomainKey(provider: provider, domain: domain.identifier)
        credentials.remember(secret, for: key)
        do {
            try await tell(key, isFolder: domain.folder != nil)
            if credential != nil, !isUnchecked { try await access.signIn(provider, key.domain) }
        } catch {
            _ = try? await consents.removeDomain(key.domain, of: provider)
            credentials.remember(nil, for: key)
            try? await tell(key, isFolder: domain.folder != nil)
            throw error
        }
    }

    // MARK: Changing

    /// Changes a domain. With a credential it signs in at once; if that fails nothing is changed.
    package func change(
        _ identifier: String, of name: String, displayName: String?, settings: [String: String]?,
        credential given: Wire.Credential?
    ) async throws -> Wire.Domain {
        let (credential, secret) = try DomainCredential.reference(given)
        let before = try await registry.changeDomain(identifier, of: name) { domain in
            ProviderDomain(
                provider: domain.provider, identifier: domain.identifier,
                displayName: displayName.flatMap { $0.isEmpty ? nil : $0 } ?? domain.displayName,
                folderPath: domain.folderPath,
                settings: try DomainSettings.merged(domain.settings, with: settings ?? [:]),
                credential: credential ?? domain.credential, created: domain.created)
        }
        let key = DomainKey(provider: before.provider, domain: identifier)
        let known =
            before.credential?.source == .session
            ? before.credential.flatMap { try? credentials.secret($0, for: key) } : nil
        if credential != nil { credentials.remember(secret, for: key) }
        do {
            try await tell(key, isFolder: false)
            if credential != nil { try await access.signIn(key.provider, key.domain) }
        } catch {
            try? await consents.setDomain(before)
            credentials.remember(known, for: key)
            try? await tell(key, isFolder: false)
            throw error
        }
        let domains = try await domains(key.provider)
        guard let changed = domains.first(where: { $0.identifier == identifier }) else {
            throw Failure(.notFound, "The domain was removed meanwhile.")
        }
        return changed
    }

    // MARK: Removing

    /// Removes a domain. Refused while changes of it wait to be sent, unless forced: then they are kept as versions.
    package func remove(_ identifier: String, of name: String, isForced: Bool) async throws {
        let provider = try await registry.provider(name)
        let key = DomainKey(provider: provider.identifier, domain: identifier)
        guard let domain = provider.domains.first(where: { $0.identifier == identifier }) else {
            throw Failure(.notFound, "\(provider.identifier) has no domain \"\(identifier)\".")
        }
        let waiting = try await journal.unsent(provider: key.provider, domain: key.domain).count
        guard waiting == 0 || isForced else {
            throw Failure(
                .conflict,
                waiting == 1
                    ? "A change of \(DomainMonitor.name(key)) is not sent yet."
                    : "\(waiting) changes of \(DomainMonitor.name(key)) are not sent yet.",
                suggestion: "Wait with `docent drain`, or remove it with --force: they are kept as versions then.",
                provider: key.provider)
        }
        await queue.cancelAll { $0.key.account == key }
        try await remote.removeContent(of: key)
        _ = try await registry.removeDomain(identifier, of: key.provider)
        // Whatever began between the two.
        await queue.cancelAll { $0.key.account == key }
        credentials.remember(nil, for: key)
        limits.update(key, settings: [:])
        try await tell(key, isFolder: domain.folderPath != nil)
    }

    // A folder is opened for the sandbox when it is made; all else a process that runs is told.
    private func tell(_ key: DomainKey, isFolder: Bool) async throws {
        await access.forget(key)
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
