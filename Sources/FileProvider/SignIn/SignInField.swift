/// One thing that a person is asked for.
public struct SignInField: Hashable, Sendable {
    /// What kind of answer is wanted.
    public enum Kind: Hashable, Sendable {
        /// A line of text.
        case text
        /// An address.
        case url
        /// What nobody may see: never shown, never written, never a setting of the domain.
        case secret
        /// One of these values.
        case choice([SignInChoice])
        /// `yes` or `no`.
        case confirm
    }

    /// The name under which the answer is given. Answers that are no secret become settings of the domain by this name.
    public var key: String
    /// Its name for people.
    public var label: String
    /// What kind of answer is wanted.
    public var kind: Kind
    /// What is answered when nothing is; never for a secret.
    public var value: String?
    /// A sentence for those who do not know what to answer.
    public var help: String?
    /// Whether it may stay empty.
    public var isOptional: Bool
    /// Whether the answer may have several lines, such as a private key; it then ends with a line feed. A person can give it as a file.
    /// Of ``Kind/text`` and ``Kind/secret`` only.
    public var isMultiline: Bool

    /// A field from its parts.
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
