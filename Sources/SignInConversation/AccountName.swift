/// `PROVIDER[@DOMAIN]` : one account of a provider.
package struct AccountName: Equatable, CustomStringConvertible {
    /// A bundle identifier, or its last component.
    package let provider: String
    /// Empty for the provider's default one.
    package let domain: String

    /// As it is written.
    package var description: String { domain.isEmpty ? provider : "\(provider)@\(domain)" }

    /// The command that signs it in.
    package var login: String { "docent login \(description)" }

    package init(provider: String, domain: String) {
        self.provider = provider
        self.domain = domain
    }
}
