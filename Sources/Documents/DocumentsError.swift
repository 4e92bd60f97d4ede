package import DocentInterfaces

/// Why a request of a client failed.
public struct DocumentsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a failure. A kind that this build does not know stays what it was and equals none of the constants.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name on the wire, for example `NotFound`.
        public let rawValue: String

        /// A code by its name, known or not.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// There is no such document, provider or bookmark; confirmed, not merely unreachable.
        public static let notFound = Code("NotFound")
        /// No grant covers it.
        public static let notPermitted = Code("NotPermitted")
        /// The provider wants the user to sign in.
        public static let notAuthenticated = Code("NotAuthenticated")
        /// Not reachable now; worth another try.
        public static let unavailable = Code("Unavailable")
        /// Something is there already, or changed meanwhile.
        public static let conflict = Code("Conflict")
        /// Cancelled by the caller.
        public static let cancelled = Code("Cancelled")
        /// Somebody did not answer in time.
        public static let deadlineExceeded = Code("DeadlineExceeded")
        /// The request itself is wrong.
        public static let invalidArgument = Code("InvalidArgument")
        /// No room, here or at the provider.
        public static let noSpace = Code("NoSpace")
        /// The provider does not do that.
        public static let notSupported = Code("NotSupported")
        /// The provider misbehaved or failed in a way of its own.
        public static let providerFailed = Code("ProviderFailed")
        /// A claim is not held any more, or what it protected changed while it was lost (D3).
        public static let claimLost = Code("ClaimLost")
        /// A claim would have waited for itself; the message prints the cycle (SEMANTICS 2.9).
        public static let deadlock = Code("Deadlock")
        /// Anything else.
        public static let failed = Code("Failed")

        /// The name on the wire.
        public var description: String { rawValue }
    }

    /// One step of the chain of causes, as the provider gave it (D13).
    public struct Cause: Sendable, Hashable {
        /// The error's domain, for example `NSFileProviderErrorDomain`.
        public let domain: String
        /// Its number in that domain.
        public let code: Int
        /// Its text.
        public let message: String
    }

    /// The kind of failure.
    public let code: Code
    /// A sentence for people.
    public let message: String
    /// What to do next, if something helps.
    public let suggestion: String?
    /// Bundle identifier of the provider that failed, if one did.
    public let provider: String?
    /// Causes, outermost first.
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

    /// The sentence, and the chain of causes below it.
    public var description: String {
        var text = message
        for cause in causes { text += "\n  caused by \(cause.domain) \(cause.code): \(cause.message)" }
        return text
    }
}
