package import DocentInterfaces
package import Documents

/// An account of a provider, as the first list shows it.
package struct PickerAccount: Hashable, Sendable {
    /// The provider's bundle identifier.
    package var provider: String
    /// Empty for the default domain.
    package var domain: String
    /// The provider's name for people.
    package var providerName: String
    /// The account's name for people; empty for the default domain.
    package var displayName: String
    /// One of the states of a domain: `ready`, `offline`, `signedOut`…; nil when unknown.
    package var state: String?
    /// The problem, as the daemon reports it.
    package var message: String?
    /// The changes that wait to be sent.
    package var pendingChanges: Int
    /// The space of the account; nil until it is known.
    package var space: AccountUsage?

    /// Less than this is full.
    private static let leastSpace = 1 << 20

    package init(
        provider: String, domain: String = "", providerName: String, displayName: String = "", state: String? = "ready",
        message: String? = nil, pendingChanges: Int = 0, space: AccountUsage? = nil
    ) {
        self.provider = provider
        self.domain = domain
        self.providerName = providerName
        self.displayName = displayName
        self.state = state
        self.message = message
        self.pendingChanges = pendingChanges
        self.space = space
    }

    /// The accounts of these providers. The default account is left out if it is unused and a remote provider has
    /// others.
    package static func all(_ providers: [DocumentProvider], _ domains: [Wire.Domain]) -> [PickerAccount] {
        providers.flatMap { provider in
            let own = domains.filter { $0.provider == provider.identifier }
            let named = own.filter { !$0.identifier.isEmpty }.sorted { $0.identifier < $1.identifier }
            let standard = own.first { $0.identifier.isEmpty }
            let isUsed = standard?.state != nil || !named.contains { $0.folder == nil }
            var accounts = named.map { account(provider, $0) }
            if isUsed {
                accounts.insert(
                    standard.map { account(provider, $0) }
                        ?? PickerAccount(
                            provider: provider.identifier, providerName: provider.displayName, state: nil), at: 0)
            }
            return accounts
        }
    }

    private static func account(_ provider: DocumentProvider, _ domain: Wire.Domain) -> PickerAccount {
        PickerAccount(
            provider: provider.identifier, domain: domain.identifier, providerName: provider.displayName,
            displayName: domain.identifier.isEmpty ? "" : domain.displayName, state: domain.state,
            message: domain.message, pendingChanges: domain.pendingChanges ?? 0)
    }

    /// The top folder.
    package var location: DocumentLocation { DocumentLocation(provider: provider, domain: domain, path: "/") }

    /// Whether signing in helps.
    package var needsSignIn: Bool { state == "signedOut" || state == "notAuthenticated" }

    /// The name that is shown and filtered: provider and account.
    package var title: String {
        let own = displayName.isEmpty ? domain : displayName
        return own.isEmpty || own == providerName ? providerName : "\(providerName): \(own)"
    }

    /// The state in words of Docent; empty if there is nothing to say.
    package var status: String {
        var words: [String] = []
        switch state {
        case "offline": words.append("offline")
        case "notAuthenticated": words.append("sign-in needed")
        case "locked": words.append("keyring locked")
        case "signingOut": words.append("signing out")
        case "signedOut": words.append("signed out")
        default: break
        }
        if pendingChanges > 0 { words.append("syncing \(pendingChanges)") }
        if let available = space?.availableBytes, available < Self.leastSpace { words.append("full") }
        return words.joined(separator: ", ")
    }
}
