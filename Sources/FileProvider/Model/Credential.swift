/// What a domain signs in with. Lives in memory only: do not write it anywhere, and not into a log.
public struct Credential: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What kind of secret it is. A kind that this SDK does not know is carried as it is.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The name of the kind, as the interface spells it.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A password, usually with a user name.
        public static let password = Kind(rawValue: "password")
        /// A token that the service gave, for example a bearer token.
        public static let token = Kind(rawValue: "token")
        /// A text of the provider's own with the tokens of an identity server, which it refreshes and hands back with
        /// ``FileProviderHost/save(_:)``.
        public static let oauth = Kind(rawValue: "oauth")
    }

    /// What kind of secret it is.
    public var kind: Kind
    /// The user name, if one is needed.
    public var username: String?
    /// The password or token; nil with ``username`` nil: whatever the provider knows already.
    public var secret: String?

    /// A credential from its parts.
    public init(kind: Kind = .password, username: String? = nil, secret: String? = nil) {
        self.kind = kind
        self.username = username
        self.secret = secret
    }

    /// Whether it says nothing: the host asks what is known already.
    public var isEmpty: Bool { username == nil && secret == nil }

    /// Never tells the secret.
    public var description: String { "a \(kind.rawValue)\(username.map { " of \($0)" } ?? "")" }
    /// Never tells the secret.
    public var debugDescription: String { description }
    /// Never tells the secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
