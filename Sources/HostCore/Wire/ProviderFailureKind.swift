package import DocentInterfaces

/// What a failed call to a provider means, to whoever made it. Retries, uploads and questions about items all decide by
/// this. Pure.
package enum ProviderFailureKind: Hashable, Sendable {
    /// Nobody was reached, or the connection was cut.
    case unreachable
    /// No answer came in time.
    case silent
    /// The service is there, and asks to be left alone for a while.
    case busy
    /// The account has to be signed in.
    case notAuthenticated
    /// The caller gave up.
    case cancelled
    /// The call met others that run, or a state that has passed: not at once, but later it may succeed.
    case untimely
    /// The provider says that there is no such item.
    case missing
    /// The host knows no such item, which proves nothing about the service.
    case unknownItem
    /// Somebody else has changed the item.
    case outdated
    /// The provider knows the item and refuses.
    case refused
    /// Anything else: the same call would fail again.
    case failed

    package init(_ failure: Failure) {
        switch failure.providerCode ?? failure.code {
        case .serverUnreachable, .unavailable: self = .unreachable
        case .deadlineExceeded: self = .silent
        case .busy: self = .busy
        case .notAuthenticated: self = .notAuthenticated
        case .cancelled: self = .cancelled
        case .deadlock, .anchorExpired: self = .untimely
        case .noSuchItem: self = .missing
        case .notFound: self = .unknownItem
        case .versionOutOfDate: self = .outdated
        case .notPermitted, .invalidArgument: self = .refused
        default: self = failure.code == .unavailable ? .unreachable : .failed
        }
    }

    /// Whether the same call may succeed later without anybody changing anything: what is saved waits then.
    package var isTransient: Bool {
        switch self {
        case .unreachable, .silent, .busy, .notAuthenticated, .cancelled, .untimely: true
        case .missing, .unknownItem, .outdated, .refused, .failed: false
        }
    }
}

extension Failure {
    /// Whether the same call to the provider may succeed later without anybody changing anything.
    var isTransient: Bool { ProviderFailureKind(self).isTransient }
}
