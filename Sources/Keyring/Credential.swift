/// The name of a secret in the keyring.
package struct CredentialKey: Hashable, Sendable {
    /// The access group whose extensions may use the secret (the entitlement `keychain-access-groups`). Nobody checks
    /// it here: the caller does, before it asks.
    package let accessGroup: String
    /// The bundle identifier of the provider.
    package let provider: String
    /// The domain of the provider; empty when it has only one.
    package let domain: String
    /// The account at the service.
    package let account: String

    /// The access group of the secrets with which a provider's domains sign in. Its slash cannot occur in a manifest,
    /// so no extension can name it.
    package static func domainGroup(of provider: String) -> String { provider + "/domain" }

    /// Names a secret. Any text is allowed that has no NUL character.
    package init(accessGroup: String, provider: String, domain: String = "", account: String) {
        self.accessGroup = accessGroup
        self.provider = provider
        self.domain = domain
        self.account = account
    }
}

/// Which secrets are meant: those that agree in all that is not nil.
package struct CredentialQuery: Hashable, Sendable {
    /// The access group, or nil for any.
    package var accessGroup: String?
    /// The provider, or nil for any.
    package var provider: String?
    /// The domain, or nil for any; the empty one is a domain.
    package var domain: String?
    /// The account, or nil for any.
    package var account: String?

    /// Makes a query; without arguments it means every secret of Docent.
    package init(
        accessGroup: String? = nil, provider: String? = nil, domain: String? = nil, account: String? = nil
    ) {
        self.accessGroup = accessGroup
        self.provider = provider
        self.domain = domain
        self.account = account
    }

    /// The query that means one secret.
    package init(_ key: CredentialKey) {
        self.init(accessGroup: key.accessGroup, provider: key.provider, domain: key.domain, account: key.account)
    }

    /// Whether a key is among those that are meant.
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
