/// A way to sign in, which a person chooses and fills in. The host asks; the provider never sees a terminal or a window.
public struct SignInForm: Hashable, Sendable {
    /// What a way needs beyond its fields. A name that this SDK does not know is carried as it is.
    public struct Browser: RawRepresentable, Hashable, Sendable {
        /// The name, as the interface spells it.
        public let rawValue: String

        /// By its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A browser on this machine, which is sent back to ``SignInInteraction/redirectURL``.
        public static let loopback = Browser(rawValue: "loopback")
        /// A browser anywhere, into which a person types a code: see ``SignInInteraction/show(code:at:completeURL:expires:)``.
        public static let device = Browser(rawValue: "device")
    }

    /// Its name among the forms of the provider, for programs.
    public var identifier: String
    /// Its name for people.
    public var title: String
    /// A sentence or two for those who do not know what to answer.
    public var help: String?
    /// What is asked for, in this order. Keys must differ.
    public var fields: [SignInField]
    /// The ways by which a browser can take part, the best first; none is needed where it is empty.
    public var browser: [Browser]
    /// What ``SignInInteraction/ask(_:within:)`` may ask for while somebody signs in, so that a script can prepare the answers. Other
    /// questions may be asked too. Keys must differ from those of the fields.
    public var questions: [SignInField]

    /// A form from its parts.
    public init(
        identifier: String, title: String, help: String? = nil, fields: [SignInField], browser: [Browser] = [],
        questions: [SignInField] = []
    ) {
        self.identifier = identifier
        self.title = title
        self.help = help
        self.fields = fields
        self.browser = browser
        self.questions = questions
    }

    /// Asks for a user name and a password.
    public static let password = SignInForm(
        identifier: "password", title: "User name and password",
        fields: [
            SignInField("username", label: "User name"), SignInField("password", label: "Password", kind: .secret),
        ])
}
