/// A secret of the keychain, without its value.
public struct KeychainItem: Hashable, Sendable {
    /// The access group whose extensions share it.
    public let group: String
    /// The provider account that it belongs to; empty for none in particular.
    public let domain: String
    /// Its name, unique in its group and domain; usually the account name at the service.
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
