/// What a domain signs in with. Keep it in memory only: never write it to a file or a log.
public struct Credential: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of secret. A kind that this SDK does not know is passed on unchanged.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The name of the kind in the interface.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A password, usually with a user name.
        public static let password = Kind(rawValue: "password")
        /// A token from the service, for example a bearer token.
        public static let token = Kind(rawValue: "token")
        /// A text of the provider's own with the tokens of an identity server. The provider refreshes it and returns it
        /// with ``FileProviderHost/save(_:)``.
        public static let oauth = Kind(rawValue: "oauth")
    }

    /// The kind of secret.
    public var kind: Kind
    /// The user name, if one is needed.
    public var username: String?
    /// The password or token. nil, with ``username`` nil, stands for whatever the provider knows already.
    public var secret: String?

    /// Creates a credential.
    public init(kind: Kind = .password, username: String? = nil, secret: String? = nil) {
        self.kind = kind
        self.username = username
        self.secret = secret
    }

    /// Whether it has neither a user name nor a secret: the provider uses what it knows already.
    public var isEmpty: Bool { username == nil && secret == nil }

    /// A text without the secret.
    public var description: String { "a \(kind.rawValue)\(username.map { " of \($0)" } ?? "")" }
    /// A text without the secret.
    public var debugDescription: String { description }
    /// An empty mirror, so that the secret is not printed.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
