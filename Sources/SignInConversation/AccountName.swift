/// `PROVIDER[@DOMAIN]`: one account of a provider.
package struct AccountName: Equatable, CustomStringConvertible {
    /// A bundle identifier, or its last component.
    package let provider: String
    /// Empty for the provider's default domain.
    package let domain: String

    /// The account as it is written.
    package var description: String { domain.isEmpty ? provider : "\(provider)@\(domain)" }

    /// The command that signs in to the account.
    package var login: String { "docent login \(description)" }

    package init(provider: String, domain: String) {
        self.provider = provider
        self.domain = domain
    }
}
