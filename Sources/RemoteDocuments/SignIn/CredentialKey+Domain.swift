package import HostCore
package import Keyring

extension CredentialKey {
    /// The access group of the secrets that a provider's domains sign in with. No manifest can name it: a group has no
    /// slash.
    package static func domainGroup(_ provider: String) -> String { "\(provider)/domain" }

    /// The key under which a domain's own secret is kept.
    ///
    /// - Parameter account: the account name; nil for a bare token.
    package static func domain(_ domain: DomainKey, account: String?) -> CredentialKey {
        CredentialKey(
            accessGroup: domainGroup(domain.provider), provider: domain.provider, domain: domain.domain,
            account: account ?? "")
    }
}
