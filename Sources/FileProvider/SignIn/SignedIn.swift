/// The result of signing in. The host keeps it and passes it to ``ReplicatedFileProvider/signIn(_:)`` from now on.
public struct SignedIn: Hashable, Sendable {
    /// What the domain signs in with.
    public var credential: Credential
    /// The account's display name, if the service has one.
    public var displayName: String?
    /// The domain's settings, replacing the answers that are not secret; nil: those answers.
    public var settings: [String: String]?

    /// Creates a result.
    public init(credential: Credential, displayName: String? = nil, settings: [String: String]? = nil) {
        self.credential = credential
        self.displayName = displayName
        self.settings = settings
    }
}
