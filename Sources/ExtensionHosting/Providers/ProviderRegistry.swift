package import DocentInterfaces
package import ExtensionManifest
import Foundation
package import Rights
import Storage

/// The installed providers and the user's decisions about them: discovery, consent, domains (A13, A14, S3).
///
/// Discovery never loads code. Manifests are read again only when something in their directories changed.
package actor ProviderRegistry {
    private let variables: [String: String]
    private let environment: ManifestEnvironment
    private let consents: ProviderConsentStore
    private let types: TypeCatalogue
    private let inspector: FileInspector
    /// The providers that are drop boxes, enabled or not.
    package nonisolated let dropBoxes = DropBoxes()
    private var manifests: InstalledManifests
    /// The decisions as stored at a revision; nil until they were read.
    private var stored: (revision: UInt64, consents: ProviderConsents)?
    /// The providers as of a search and a revision.
    private var known: (search: Int, revision: UInt64, providers: [KnownProvider])?
    /// When it was looked at last whether files of providers have changed.
    private var looked: ContinuousClock.Instant?
    /// How long that counts for the use of a provider. A call looks several times, and programs that read many
    /// documents make a thousand calls a second; a look takes dozens of system calls.
    private static let freshness: Duration = .milliseconds(20)

    /// - Parameter inspector: determines who owns which file.
    package init(
        environment: [String: String], consents: ProviderConsentStore, types: TypeCatalogue,
        inspector: FileInspector = .system()
    ) {
        self.types = types
        self.inspector = inspector
        variables = environment
        self.environment = ManifestEnvironment(variables: environment)
        manifests = InstalledManifests(environment: self.environment, inspector: inspector)
        self.consents = consents
    }

    // MARK: Inspecting

    /// Everything that was discovered, broken manifests included.
    package func discovered() -> DiscoveryResult {
        let before = manifests.searches
        let result = manifests.current()
        looked = .now
        if manifests.searches != before {
            types.update(result.providers)
            dropBoxes.update(result.providers.map { ($0.identifier, KnownProvider.isDropBox($0)) })
        }
        return result
    }

    /// The document group whose container holds a provider's documents, even if the provider is no longer installed.
    package func group(of provider: String) async -> String {
        guard let asked = discovered().providers.first(where: { $0.identifier == provider }) else {
            return "group." + provider
        }
        // A provider of the administrator keeps the group that was agreed to.
        guard asked.isSystem, let agreed = try? await decisions().agreed(provider) else {
            return ExtensionLauncher.group(asked)
        }
        return ExtensionLauncher.group(asked.limited(to: agreed))
    }

    /// The present locations of the user's folders.
    package nonisolated var userFolders: UserFolders { UserFolders(variables: variables) }

    /// The user's folders that any provider may write, by its entitlements or as the folder of a domain.
    package func writableFolders() async throws -> [String] {
        let user = userFolders
        return try await providers().flatMap { provider in
            let extensions = [provider.asked.fileProvider, provider.asked.picker].compactMap(\.self)
            return extensions.flatMap { $0.entitlements.writableFolders(user) }
                + provider.domains.compactMap(\.folderPath)
        }
    }

    /// The provider of every usable manifest, with its state.
    package func providers() async throws -> [KnownProvider] {
        let discovered = discovered().providers
        let (search, revision) = (manifests.searches, consents.revision)
        if let known, known.search == search, known.revision == revision { return known.providers }
        let consents = try await decisions()
        var result: [KnownProvider] = []
        for description in discovered {
            let identifier = description.identifier
            let decision = consents.decisions[identifier]
            let standing = ProviderStanding(
                description, decision, owner: owner(of: description),
                agreed: try await agreement(on: description, consents))
            result.append(
                provider(
                    description, standing, decision, consents.domains[identifier] ?? [],
                    consents.quarantines[identifier]))
        }
        // An agreement that was stored meanwhile raised the revision, so the next call reads it.
        known = (search, revision, result)
        return result
    }

    /// All decisions, read again only when one changed.
    private func decisions() async throws -> ProviderConsents {
        let revision = consents.revision
        if let stored, stored.revision == revision { return stored.consents }
        let read = try await consents.consents()
        stored = (revision, read)
        return read
    }

    private func provider(
        _ asked: ProviderDescription, _ standing: ProviderStanding, _ decision: ProviderDecision?,
        _ domains: [ProviderDomain], _ quarantine: ProviderQuarantine?
    ) -> KnownProvider {
        var unsandboxed = false
        if case .enabled(let pin) = decision { unsandboxed = pin.isUnsandboxed }
        return KnownProvider(
            description: standing.description,
            state: standing.state == .ready && quarantine != nil ? .quarantined : standing.state,
            isUnsandboxed: unsandboxed, domains: domains, quarantineReason: quarantine?.reason, asked: asked,
            withheld: standing.withheld)
    }

    // A provider that starts enabled is agreed to as it is first seen; later versions are compared with that.
    private func agreement(
        on asked: ProviderDescription, _ consents: ProviderConsents
    ) async throws -> Set<ProviderRequest>? {
        if let known = consents.agreed(asked.identifier) { return known }
        let decision = consents.decisions[asked.identifier]
        guard ProviderStanding.startsAgreed(asked, decision, owner: owner(of: asked)) else { return nil }
        let groups = asked.requests.compactMap { request in
            ProviderGroup(request).map { ($0, request.line) }
        }
        let lines = try await self.consents.admit(
            asked.identifier, requests: asked.requests.map(\.line),
            groups: Dictionary(groups, uniquingKeysWith: { first, _ in first }))
        return lines.map { Set($0.compactMap(ProviderRequest.init(line:))) }
    }

    private func owner(of description: ProviderDescription) -> UInt32? {
        description.extensions.first.flatMap { inspector.facts($0.libraryPath)?.owner }
    }

    /// The provider with that bundle identifier or, if unambiguous, with that last component, ignoring case.
    ///
    /// - Throws: ``Failure`` `NotFound`; `ProviderFailed` with the reason when its manifest or its library cannot be
    ///   used; `InvalidArgument` when the short name fits several.
    package func provider(_ name: String) async throws -> KnownProvider {
        let all = try await providers()
        if let exact = all.first(where: { $0.identifier == name }) { return exact }
        func last(_ provider: KnownProvider) -> String { String(provider.identifier.split(separator: ".").last ?? "") }
        var short = all.filter { last($0) == name }
        // People type names in lower case.
        if short.isEmpty { short = all.filter { last($0).lowercased() == name.lowercased() } }
        if short.count > 1 {
            throw Failure(
                .invalidArgument, "\"\(name)\" is ambiguous.",
                suggestion: "Write one of " + short.map(\.identifier).joined(separator: ", ") + ".")
        }
        guard let found = short.first else {
            if let broken = broken(name) { throw broken }
            throw Failure(
                .notFound, "There is no provider \"\(name)\".",
                suggestion: "`docent providers --all` lists what is installed.")
        }
        return found
    }

    // An installed provider that cannot be used is not "no provider": a user with documents in it must see what is
    // wrong.
    private func broken(_ name: String) -> Failure? {
        func isMeant(_ provider: String) -> Bool {
            provider == name || provider.split(separator: ".").last?.lowercased() == name.lowercased()
        }
        for manifest in discovered().broken where manifest.provider.map(isMeant) == true {
            guard let problem = manifest.problems.first(where: { $0.severity == .error }) else { continue }
            // Not unavailable: trying again without a correction is useless.
            return Failure(
                .providerFailed, "\(name) cannot be used: \(manifest.path): \(problem.message)",
                suggestion: problem.remedy, provider: manifest.provider)
        }
        return nil
    }

    /// A provider that may be used now.
    ///
    /// - Throws: ``Failure`` that says what to do when it may not.
    package func usable(_ name: String) async throws -> KnownProvider {
        if let ready = recent(name) { return ready }
        let provider = try await provider(name)
        let identifier = provider.identifier
        switch provider.state {
        case .ready: return provider
        case .disabled: throw Failure.notEnabled(identifier)
        case .changed:
            throw Failure(
                .notPermitted, "\(identifier) changed since it was enabled, and is off until you agree again.",
                suggestion: "Review it, then enable it: docent provider enable \(identifier)", provider: identifier)
        case .quarantined:
            throw Failure(
                .unavailable, "\(identifier) is in quarantine: \(provider.quarantineReason ?? "it kept crashing").",
                suggestion: "When it is fixed: docent provider reset \(identifier)", provider: identifier)
        }
    }

    /// A provider that could be used a moment ago.
    private func recent(_ identifier: String) -> KnownProvider? {
        guard let looked, .now - looked < Self.freshness, let known, known.search == manifests.searches,
            known.revision == consents.revision
        else { return nil }
        return known.providers.first { $0.identifier == identifier && $0.state == .ready }
    }

    // MARK: Deciding

    /// Enables a provider as it was shown.
    ///
    /// - Parameter digest: the digest of what was shown; any other is refused.
    package func enable(_ name: String, digest: String, unsandboxed: Bool, joining: Bool) async throws {
        let description = try await provider(name).asked
        guard description.digest == digest else {
            throw Failure(
                .conflict, "\(description.identifier) changed while you were reviewing it.",
                suggestion: "Review it again.")
        }
        let requests = description.requests
        let groups = requests.compactMap(ProviderGroup.init)
        let pin = ProviderPin(
            identifier: description.identifier, manifestPaths: description.extensions.map(\.path),
            libraryPaths: description.extensions.map(\.libraryPath),
            ownerUserID: owner(of: description) ?? getuid(),
            digest: digest,
            isUnsandboxed: unsandboxed)
        do {
            try await consents.enable(
                pin, groups: groups, joining: joining ? Set(groups) : [], requests: requests.map(\.line))
        } catch let error as ConsentError {
            throw Failure(
                .notPermitted, "\(error)", suggestion: "Agree to this with --join-groups.",
                provider: description.identifier)
        }
    }

    /// Disables a provider.
    ///
    /// - Returns: its identifier.
    package func disable(_ name: String) async throws -> String {
        let identifier = try await provider(name).identifier
        try await consents.disable(identifier)
        return identifier
    }

    /// Lifts a quarantine.
    ///
    /// - Returns: the provider's identifier.
    package func reset(_ name: String) async throws -> String {
        let identifier = try await provider(name).identifier
        try await consents.release(identifier)
        return identifier
    }

    // MARK: Domains

    /// Adds a domain; a folder must be the absolute path of a directory outside the daemon's own directories.
    ///
    /// - Returns: the provider's identifier.
    /// - Throws: ``Failure`` `Conflict` when a domain of that name exists and has an account: ``changeDomain(_:of:_:)``
    ///   changes it.
    package func addDomain(_ domain: Wire.Domain, credential: CredentialReference? = nil) async throws -> String {
        let provider = try await provider(domain.provider)
        try Self.requireName(domain.identifier)
        if let folder = domain.folder { try checkFolder(folder) }
        let settings = try DomainSettings.merged([:], with: domain.settings ?? [:])
        if let known = provider.domains.first(where: { $0.identifier == domain.identifier }),
            known.credential != nil || !known.settings.isEmpty || known.signOut != nil
        {
            throw Failure(
                .conflict, "\(provider.identifier) already has a domain \"\(domain.identifier)\".",
                suggestion: "Change it with `docent domains set`, or choose another name.")
        }
        try await consents.setDomain(
            ProviderDomain(
                provider: provider.identifier, identifier: domain.identifier,
                displayName: domain.displayName.isEmpty ? domain.identifier : domain.displayName,
                folderPath: domain.folder, settings: settings, credential: credential))
        return provider.identifier
    }

    /// Refuses a text that cannot be the identifier of a named domain.
    package static func requireName(_ identifier: String) throws(Failure) {
        guard !identifier.isEmpty, identifier.utf8.count <= 64,
            identifier.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }),
            identifier != ".", identifier != ".."
        else {
            throw Failure(
                .invalidArgument, "\"\(identifier.prefix(64))\" cannot be the name of a domain.",
                suggestion: "Use letters, digits, - and _.")
        }
    }

    /// Changes a domain. The default domain of a provider always exists, even if nothing was stored for it yet.
    ///
    /// - Returns: the domain before the change.
    /// - Throws: ``Failure`` `NotFound`.
    package func changeDomain(
        _ identifier: String, of name: String, _ change: @Sendable (ProviderDomain) throws -> ProviderDomain
    ) async throws -> ProviderDomain {
        let provider = try await provider(name)
        let standard =
            identifier.isEmpty
            ? ProviderDomain(
                provider: provider.identifier, identifier: "", displayName: provider.description.displayName) : nil
        guard let before = provider.domains.first(where: { $0.identifier == identifier }) ?? standard else {
            throw Failure(
                .notFound, "\(provider.identifier) has no domain \"\(identifier)\".",
                suggestion: "`docent domains` lists them.")
        }
        try await consents.setDomain(try change(before))
        return before
    }

    private func checkFolder(_ folder: String) throws {
        guard folder.hasPrefix("/"), let path = PathLookup.canonical(folder), path == URLRule.normalised(folder) else {
            throw Failure(
                .invalidArgument, "\(folder) is not the absolute path of a folder without links.",
                suggestion: "Give the folder itself.")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw Failure(.invalidArgument, "\(folder) is not a folder.")
        }
        let own = environment.protectedDirectories + [environment.home]
        let reaches = own.contains { $0 == path || path.hasPrefix($0 + "/") && $0 != environment.home }
        let contains = path == "/" || own.contains { $0.hasPrefix(path + "/") }
        guard !reaches, !contains else {
            throw Failure(
                .notPermitted, "\(folder) cannot be given to a provider: it is, or contains, a protected place.",
                suggestion: "Choose a folder of documents.")
        }
    }
}

extension Failure {
    /// A provider that the user has not enabled, or has disabled.
    static func notEnabled(_ provider: String) -> Failure {
        Failure(
            .notPermitted, "\(provider) is not enabled.", suggestion: "Enable it: docent provider enable \(provider)",
            provider: provider)
    }
}

extension ProviderConsents {
    /// The requests that were agreed to for a provider, if any ever were.
    fileprivate func agreed(_ provider: String) -> Set<ProviderRequest>? {
        agreements[provider].map { Set($0.compactMap(ProviderRequest.init(line:))) }
    }
}

extension ProviderGroup {
    /// The group that a request names, if any.
    fileprivate init?(_ request: ProviderRequest) {
        switch request.kind {
        case .documentGroup: self.init(kind: .document, name: request.value)
        case .keychainGroup: self.init(kind: .keychain, name: request.value)
        default: return nil
        }
    }
}
