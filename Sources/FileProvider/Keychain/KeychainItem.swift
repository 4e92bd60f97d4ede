/// One secret of the keychain, without the secret (O6).
public struct KeychainItem: Hashable, Sendable {
    /// The access group whose extensions share it.
    public let group: String
    /// The account of the provider that it is for; empty for none in particular.
    public let domain: String
    /// Its name among those of the same group and domain, usually the account at the service.
    public let account: String
    /// What keyring programs show to the user.
    public let label: String?

    init(group: String, domain: String, account: String, label: String?) {
        self.group = group
        self.domain = domain
        self.account = account
        self.label = label
    }
}
