/// One field of a sign-in form.
public struct SignInField: Hashable, Sendable {
    /// The kind of answer.
    public enum Kind: Hashable, Sendable {
        /// A line of text.
        case text
        /// A URL.
        case url
        /// A secret: never shown, never written, and never a setting of the domain.
        case secret
        /// One of these values.
        case choice([SignInChoice])
        /// `yes` or `no`.
        case confirm
    }

    /// Identifies the answer. Answers that are not secret become settings of the domain with this name.
    public var key: String
    /// Its display name.
    public var label: String
    /// The kind of answer.
    public var kind: Kind
    /// The default answer; never for a secret.
    public var value: String?
    /// A sentence that explains what to answer.
    public var help: String?
    /// Whether it may be left empty.
    public var isOptional: Bool
    /// Whether the answer may have several lines, as a private key does; it then ends with a line feed. A person can
    /// provide it as a file. Only for ``Kind/text`` and ``Kind/secret``.
    public var isMultiline: Bool

    /// Creates a field.
    public init(
        _ key: String, label: String, kind: Kind = .text, value: String? = nil, help: String? = nil,
        isOptional: Bool = false, isMultiline: Bool = false
    ) {
        self.key = key
        self.label = label
        self.kind = kind
        self.value = value
        self.help = help
        self.isOptional = isOptional
        self.isMultiline = isMultiline
    }
}
