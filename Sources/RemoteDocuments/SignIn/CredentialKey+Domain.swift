package import HostCore
package import Keyring

extension CredentialKey {
    /// The access group of what the domains of a provider sign in with. No manifest can name it: a group has no slash.
    package static func domainGroup(_ provider: String) -> String { "\(provider)/domain" }

    /// Under which a domain's own secret is kept.
    ///
    /// - Parameter account: who signs in; nil for a token alone.
    package static func domain(_ domain: DomainKey, account: String?) -> CredentialKey {
        CredentialKey(
            accessGroup: domainGroup(domain.provider), provider: domain.provider, domain: domain.domain,
            account: account ?? "")
    }
}
