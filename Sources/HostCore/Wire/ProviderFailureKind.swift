package import DocentInterfaces

/// What a failed call to a provider means to its caller. Retries, uploads and queries about items all depend on it.
/// Pure.
package enum ProviderFailureKind: Hashable, Sendable {
    /// The service could not be reached, or the connection was cut.
    case unreachable
    /// No answer came in time.
    case silent
    /// The service is reachable, and asks callers to wait.
    case busy
    /// The account must be signed in.
    case notAuthenticated
    /// The caller gave up.
    case cancelled
    /// The call conflicted with others, or with a state that has passed: it fails now, but may succeed later.
    case untimely
    /// The provider says that the item does not exist.
    case missing
    /// The host does not know the item, which proves nothing about the service.
    case unknownItem
    /// Another party has changed the item.
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

    /// Whether the same call may succeed later without any other change; saved work then waits.
    package var isTransient: Bool {
        switch self {
        case .unreachable, .silent, .busy, .notAuthenticated, .cancelled, .untimely: true
        case .missing, .unknownItem, .outdated, .refused, .failed: false
        }
    }
}

extension Failure {
    /// Whether a change that is saved here waits until the provider can take it. After a deadlock it does not: the
    /// client is waiting for the answer, and decides itself whether to try again.
    package var leavesSavedChangeWaiting: Bool {
        let kind = ProviderFailureKind(self)
        return kind.isTransient && kind != .untimely
    }
}
