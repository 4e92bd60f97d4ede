/// What came of signing in: what the host keeps and gives to ``ReplicatedFileProvider/signIn(_:)`` from now on.
public struct SignedIn: Hashable, Sendable {
    /// What the domain signs in with.
    public var credential: Credential
    /// The account's name for people, if the service tells it.
    public var displayName: String?
    /// Settings of the domain, in place of the answers that are no secrets; nil: those.
    public var settings: [String: String]?

    /// A result from its parts.
    public init(credential: Credential, displayName: String? = nil, settings: [String: String]? = nil) {
        self.credential = credential
        self.displayName = displayName
        self.settings = settings
    }
}
