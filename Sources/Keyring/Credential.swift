/// The name of a secret in the keyring.
package struct CredentialKey: Hashable, Sendable {
    /// The access group whose extensions may use the secret (the entitlement `keychain-access-groups`). It is not
    /// checked here; the caller must do so first.
    package let accessGroup: String
    /// The bundle identifier of the provider.
    package let provider: String
    /// The provider's domain; empty when it has only one.
    package let domain: String
    /// The account at the service.
    package let account: String

    /// The access group of the secrets with which a provider's domains sign in. A manifest cannot contain the slash, so
    /// no extension can name this group.
    package static func domainGroup(of provider: String) -> String { provider + "/domain" }

    /// Creates a key. Its parts may be any text without a NUL character.
    package init(accessGroup: String, provider: String, domain: String = "", account: String) {
        self.accessGroup = accessGroup
        self.provider = provider
        self.domain = domain
        self.account = account
    }
}

/// Selects secrets: those whose keys match every part that is not nil.
package struct CredentialQuery: Hashable, Sendable {
    /// The access group; nil for any.
    package var accessGroup: String?
    /// The provider; nil for any.
    package var provider: String?
    /// The domain; nil for any. The empty string is a domain.
    package var domain: String?
    /// The account; nil for any.
    package var account: String?

    /// Creates a query. Without arguments it selects every secret of Docent.
    package init(
        accessGroup: String? = nil, provider: String? = nil, domain: String? = nil, account: String? = nil
    ) {
        self.accessGroup = accessGroup
        self.provider = provider
        self.domain = domain
        self.account = account
    }

    /// Creates a query that selects a single secret.
    package init(_ key: CredentialKey) {
        self.init(accessGroup: key.accessGroup, provider: key.provider, domain: key.domain, account: key.account)
    }

    /// Whether the query selects a key.
    package func means(_ key: CredentialKey) -> Bool {
        (accessGroup == nil || accessGroup == key.accessGroup) && (provider == nil || provider == key.provider)
            && (domain == nil || domain == key.domain) && (account == nil || account == key.account)
    }

    var attributes: [(name: String, value: String)] {
        [
            (CredentialAttribute.accessGroup, accessGroup), (CredentialAttribute.provider, provider),
            (CredentialAttribute.domain, domain), (CredentialAttribute.account, account),
        ].compactMap { name, value in value.map { (name, $0) } }
    }
}

/// The attributes of the schema `org.docent.Credential`.
enum CredentialAttribute {
    static let accessGroup = "access-group"
    static let provider = "provider"
    static let domain = "domain"
    static let account = "account"
}
