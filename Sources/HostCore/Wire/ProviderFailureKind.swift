package import DocentInterfaces

/// What the code of a failed call to a provider means. All decisions about failures depend on it: those that need only
/// the kind are here, those that need the whole failure are in the extension of `Failure`. Pure.
package enum ProviderFailureKind: Hashable, Sendable {
    /// The service could not be reached, or the connection was cut.
    case unreachable
    /// The provider itself could not be asked: its process ended, or it may not be used.
    case unavailable
    /// No answer came in time.
    case silent
    /// The service is reachable, and asks callers to wait.
    case busy
    /// The account must be signed in.
    case notAuthenticated
    /// The caller gave up.
    case cancelled
    /// The call would have waited for itself: it fails now, but may succeed once others have ended.
    case deadlock
    /// The list of changes that the call continues has expired.
    case expired
    /// The provider says that the item does not exist.
    case missing
    /// The host does not know the item, which proves nothing about the service.
    case unknownItem
    /// Another party has changed the item.
    case outdated
    /// There is already an item with this name.
    case taken
    /// The host found a conflict.
    case conflicting
    /// The account has no room left.
    case full
    /// The provider cannot do this at all.
    case unsupported
    /// The provider knows the item and refuses access.
    case forbidden
    /// The call itself is wrong.
    case invalid
    /// Anything else, also a code that this build does not know: the same call would fail again.
    case failed

    /// Classifies a code, of a provider or of the host.
    package init(_ code: FailureCode) {
        switch code {
        case .serverUnreachable: self = .unreachable
        case .unavailable: self = .unavailable
        case .deadlineExceeded: self = .silent
        case .busy: self = .busy
        case .notAuthenticated: self = .notAuthenticated
        case .cancelled: self = .cancelled
        case .deadlock: self = .deadlock
        case .anchorExpired: self = .expired
        case .noSuchItem: self = .missing
        case .notFound: self = .unknownItem
        case .versionOutOfDate: self = .outdated
        case .collision: self = .taken
        case .conflict: self = .conflicting
        case .insufficientQuota: self = .full
        case .notSupported: self = .unsupported
        case .notPermitted: self = .forbidden
        case .invalidArgument: self = .invalid
        // `noSpace` of the host is about this machine, not about the account.
        case .failed, .providerFailed, .noSpace, .claimLost, .held: self = .failed
        default: self = .failed
        }
    }

    /// Whether the same call may succeed later without any other change.
    package var isTransient: Bool {
        switch self {
        case .unreachable, .unavailable, .silent, .busy, .notAuthenticated, .cancelled, .deadlock, .expired: true
        case .missing, .unknownItem, .outdated, .taken, .conflicting, .full, .unsupported, .forbidden, .invalid,
            .failed:
            false
        }
    }

    /// Whether a package that cannot be sent as a whole may still be sent element by element: the provider does not
    /// support packages, or has another state than the one that was replaced.
    package var mayPassInParts: Bool {
        switch self {
        case .unsupported, .outdated, .taken, .conflicting, .missing: true
        case .unreachable, .unavailable, .silent, .busy, .notAuthenticated, .cancelled, .deadlock, .expired,
            .unknownItem, .full, .forbidden, .invalid, .failed:
            false
        }
    }
}

extension Failure {
    /// The kind of the failure, by the provider's own code if there is one: the host's translation of it is coarser.
    package var kind: ProviderFailureKind { ProviderFailureKind(providerCode ?? code) }

    /// Whether a change that is saved here waits until the provider can take it. After a deadlock it does not: the
    /// client is waiting for the answer, and decides itself whether to try again.
    package var leavesSavedChangeWaiting: Bool { kind.isTransient && kind != .deadlock && kind != .expired }

    /// Whether signing in may help. By the code that clients see: that is also the case if the provider's claim was
    /// refused besides, which ``kind`` reports as a deadlock.
    package var asksForSignIn: Bool { ProviderFailureKind(code) == .notAuthenticated }

    /// Whether to repeat the call at once, a few times: the provider's process may have ended during the call, and is
    /// started again. By the code that clients see, which is the same for a service that is unreachable or busy.
    package var mayPassAtOnce: Bool { ProviderFailureKind(code) == .unavailable }

    /// Whether a call that should change something certainly changed nothing. Otherwise the outcome is unknown.
    package var changedNothing: Bool {
        switch kind {
        // The host refuses these too, before it calls the provider.
        case .unsupported, .forbidden, .invalid: true
        // Certain only if the provider says so.
        case .missing, .outdated, .taken, .full, .notAuthenticated, .deadlock: providerCode != nil
        case .unreachable, .unavailable, .silent, .busy, .cancelled, .expired, .unknownItem, .conflicting, .failed:
            false
        }
    }

    /// What a failed call shows about the service behind its provider.
    package enum Reach: Hashable, Sendable {
        /// The service answered.
        case reached
        /// The service could not be reached.
        case unreachable
        /// Nothing: the provider or the host may have failed before the service was asked.
        case unknown
    }

    /// What the failure shows about the service. Only the provider's own code shows something.
    package var reach: Reach {
        guard providerCode != nil else { return .unknown }
        return switch kind {
        case .unreachable: .unreachable
        case .busy, .expired, .missing, .outdated, .taken, .full, .forbidden: .reached
        case .unavailable, .silent, .notAuthenticated, .cancelled, .deadlock, .unknownItem, .conflicting, .unsupported,
            .invalid, .failed:
            .unknown
        }
    }
}
