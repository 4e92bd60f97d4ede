/// A form to sign in with, which a person chooses and fills in. The host shows it; the provider never sees a terminal
/// or a window.
public struct SignInForm: Hashable, Sendable {
    /// How a browser takes part. A name that this SDK does not know is passed on unchanged.
    public struct Browser: RawRepresentable, Hashable, Sendable {
        /// The name in the interface.
        public let rawValue: String

        /// Creates a value from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A browser on this machine, which is redirected to ``SignInInteraction/redirectURL``.
        public static let loopback = Browser(rawValue: "loopback")
        /// A browser on any machine, into which the person types a code: see
        /// ``SignInInteraction/show(code:at:completeURL:expires:)``.
        public static let device = Browser(rawValue: "device")
    }

    /// Its identifier among the forms of the provider.
    public var identifier: String
    /// Its display name.
    public var title: String
    /// A sentence or two that explain what to answer.
    public var help: String?
    /// The fields, in the order in which they are shown. Keys must differ.
    public var fields: [SignInField]
    /// How a browser can take part, the best way first; empty if none is needed.
    public var browser: [Browser]
    /// Questions that ``SignInInteraction/ask(_:within:)`` may ask during the sign-in, so that a script can prepare the
    /// answers. Other questions may be asked too. Keys must differ from those of the fields.
    public var questions: [SignInField]

    /// Creates a form.
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
