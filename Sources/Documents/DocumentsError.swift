package import DocentInterfaces

/// The reason why a client's request failed.
public struct DocumentsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a failure. An unknown kind keeps its name and equals none of the constants.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name on the wire, for example `NotFound`.
        public let rawValue: String

        /// Creates a code from its name, known or unknown.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// There is no such document, provider or bookmark. This is confirmed: it is not merely unreachable.
        public static let notFound = Code("NotFound")
        /// No grant allows it.
        public static let notPermitted = Code("NotPermitted")
        /// The user must sign in to the provider.
        public static let notAuthenticated = Code("NotAuthenticated")
        /// Temporarily unreachable; try again later.
        public static let unavailable = Code("Unavailable")
        /// Something already exists there, or changed meanwhile.
        public static let conflict = Code("Conflict")
        /// The caller cancelled the request.
        public static let cancelled = Code("Cancelled")
        /// An answer did not arrive in time.
        public static let deadlineExceeded = Code("DeadlineExceeded")
        /// The request itself is invalid.
        public static let invalidArgument = Code("InvalidArgument")
        /// There is no space left, here or at the provider.
        public static let noSpace = Code("NoSpace")
        /// The provider does not support the request.
        public static let notSupported = Code("NotSupported")
        /// The provider misbehaved, or failed with an error of its own.
        public static let providerFailed = Code("ProviderFailed")
        /// A claim is no longer held, or what it protected changed while it was lost.
        public static let claimLost = Code("ClaimLost")
        /// A claim would have waited for itself; the message prints the cycle.
        public static let deadlock = Code("Deadlock")
        /// The client deletes or replaces many documents at once, and the user has to allow it first. Nothing changed.
        public static let held = Code("Held")
        /// Any other failure.
        public static let failed = Code("Failed")

        /// The name on the wire.
        public var description: String { rawValue }
    }

    /// One step in the chain of causes, as the provider reported it.
    public struct Cause: Sendable, Hashable {
        /// The error's domain, for example `NSFileProviderErrorDomain`.
        public let domain: String
        /// The error's number in that domain.
        public let code: Int
        /// The error's text.
        public let message: String
    }

    /// The kind of failure.
    public let code: Code
    /// The message to show to people.
    public let message: String
    /// What the user can do about it; nil when nothing helps.
    public let suggestion: String?
    /// The bundle identifier of the provider that failed; nil when none did.
    public let provider: String?
    /// The causes, outermost first.
    public let causes: [Cause]

    package init(_ failure: Failure) {
        code = Code(failure.code.rawValue)
        message = failure.message
        suggestion = failure.suggestion
        provider = failure.provider
        causes = failure.causes.map { Cause(domain: $0.domain, code: $0.code, message: $0.message) }
    }

    package init(_ code: Code, _ message: String, suggestion: String? = nil) {
        self.code = code
        self.message = message
        self.suggestion = suggestion
        provider = nil
        causes = []
    }

    /// The message, followed by the chain of causes.
    public var description: String {
        var text = message
        for cause in causes { text += "\n  caused by \(cause.domain) \(cause.code): \(cause.message)" }
        return text
    }
}
