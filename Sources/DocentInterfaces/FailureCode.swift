/// The kind of a failure that a service reports: the last component of the varlink error's name.
///
/// An unknown code keeps its name and is treated like ``failed``.
package struct FailureCode: Hashable, Sendable, CustomStringConvertible {
    /// The error's name without its interface, for example `NotFound`.
    package let rawValue: String

    /// Creates a code from its name, known or unknown.
    package init(_ rawValue: String) { self.rawValue = rawValue }

    package static let notFound = FailureCode("NotFound")
    package static let notPermitted = FailureCode("NotPermitted")
    package static let notAuthenticated = FailureCode("NotAuthenticated")
    package static let unavailable = FailureCode("Unavailable")
    package static let conflict = FailureCode("Conflict")
    package static let cancelled = FailureCode("Cancelled")
    package static let deadlineExceeded = FailureCode("DeadlineExceeded")
    package static let invalidArgument = FailureCode("InvalidArgument")
    package static let noSpace = FailureCode("NoSpace")
    package static let notSupported = FailureCode("NotSupported")
    package static let providerFailed = FailureCode("ProviderFailed")
    package static let failed = FailureCode("Failed")
    package static let claimLost = FailureCode("ClaimLost")
    package static let deadlock = FailureCode("Deadlock")
    package static let held = FailureCode("Held")

    // The codes of a provider (org.docent.FileProvider).
    package static let noSuchItem = FailureCode("NoSuchItem")
    package static let serverUnreachable = FailureCode("ServerUnreachable")
    package static let busy = FailureCode("Busy")
    package static let collision = FailureCode("Collision")
    package static let versionOutOfDate = FailureCode("VersionOutOfDate")
    package static let insufficientQuota = FailureCode("InsufficientQuota")
    package static let anchorExpired = FailureCode("AnchorExpired")

    /// All codes that the client interfaces declare.
    package static let ofServices: [FailureCode] = [
        .notFound, .notPermitted, .notAuthenticated, .unavailable, .conflict, .cancelled, .deadlineExceeded,
        .invalidArgument, .noSpace, .notSupported, .providerFailed, .failed, .claimLost, .deadlock,
        .held,
    ]

    /// All codes that the extension interfaces declare.
    package static let ofProviders: [FailureCode] = [
        .noSuchItem, .notAuthenticated, .serverUnreachable, .busy, .collision, .versionOutOfDate, .insufficientQuota,
        .anchorExpired, .notSupported, .notPermitted, .invalidArgument, .failed,
    ]

    /// Whether this build knows the code.
    package var isKnown: Bool { Self.ofServices.contains(self) || Self.ofProviders.contains(self) }

    package var description: String { rawValue }
}
