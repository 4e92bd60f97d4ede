import DocentInterfaces
package import ExtensionHosting
import ExtensionManifest
import HostCore
package import Records
package import RemoteDocuments
import Rights
import Transfers

/// Which accounts can be searched now, and what keeps others from being searched.
package struct SearchAccounts: Sendable {
    private let registry: ProviderRegistry
    private let gateway: DocumentGateway
    private let index: ItemIndex
    private let monitor: DomainMonitor

    package init(
        registry: ProviderRegistry, gateway: DocumentGateway, index: ItemIndex, monitor: DomainMonitor
    ) {
        self.registry = registry
        self.gateway = gateway
        self.index = index
        self.monitor = monitor
    }

    /// The accounts of the enabled providers, without those that are signed out.
    func open() async throws -> [SearchAccount.Identity] { try await all().filter { !isClosed($0) } }

    /// The accounts of the enabled providers. A default account counts if nothing says that the provider has only
    /// others.
    func all() async throws -> [SearchAccount.Identity] {
        var accounts: [SearchAccount.Identity] = []
        for provider in try await registry.providers() where provider.state == .ready {
            guard provider.description.fileProvider != nil, !registry.dropBoxes.contains(provider.identifier) else {
                continue
            }
            let standard = SearchAccount.Identity(provider: provider.identifier, domain: "")
            let named = provider.domains.filter { !$0.identifier.isEmpty }
            var hasStandard = named.allSatisfy { $0.folderPath != nil }
            if !hasStandard { hasStandard = try await index.item(standard.top) != nil }
            if hasStandard || named.count < provider.domains.count { accounts.append(standard) }
            accounts += named.map { .init(provider: provider.identifier, domain: $0.identifier) }
        }
        return accounts
    }

    /// Whether nobody has given an account settings or a credential: a provider that needs them has a default account
    /// that cannot be used.
    func isBare(_ account: SearchAccount.Identity) async throws -> Bool {
        guard account.domain.isEmpty else { return false }
        return try await registry.provider(account.provider).domains.allSatisfy { domain in
            !domain.identifier.isEmpty || domain.settings.isEmpty && domain.credential == nil
        }
    }

    /// Whether a provider says with this failure that its account was not set up.
    static func needsSetUp(_ failure: Failure) -> Bool {
        failure.code == .notAuthenticated || failure.code == .invalidArgument
    }

    /// The full identifier of a provider that the user names.
    func identifier(of name: String) async throws -> String { try await registry.provider(name).identifier }

    /// Whether an account is signed out.
    func isClosed(_ account: SearchAccount.Identity) -> Bool { monitor.closed.contains(account.top) }

    /// What keeps an account's service from being asked; nil if nothing is known to.
    func obstacle(_ account: SearchAccount.Identity) -> Wire.SearchGap? {
        let state = monitor.state(account.provider, account.domain)
        let kind: String
        switch state {
        case .ready: return nil
        case .offline: kind = "offline"
        case .notAuthenticated: kind = "notAuthenticated"
        case .locked: kind = "locked"
        case .signingOut, .signedOut: kind = "signedOut"
        }
        return Wire.SearchGap(
            provider: account.provider, domain: account.domain, kind: kind,
            message: state.message ?? "It is signed out.")
    }
}
