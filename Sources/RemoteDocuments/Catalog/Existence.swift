package import DocentInterfaces
import HostCore

/// What a failed query about an item says about its existence. Pure.
///
/// Unreachable does not mean deleted (law 6, HAZARDS 2 to 4). Only the provider's own `NoSuchItem` means that an item
/// is missing, and even that is confirmed through its parent before anything is removed.
package enum Existence: Hashable, Sendable {
    /// The provider says that there is no such item.
    case missing
    /// The failure does not say; the local state is served.
    case unknown
    /// The provider knows the item and refuses, or the caller gave up: the failure is returned to the caller.
    case refused

    package init(_ failure: Failure) {
        switch failure.kind {
        case .missing: self = .missing
        case .forbidden, .invalid, .cancelled: self = .refused
        case .unreachable, .unavailable, .silent, .busy, .notAuthenticated, .deadlock, .expired, .unknownItem,
            .outdated, .taken, .conflicting, .full, .unsupported, .failed:
            self = .unknown
        }
    }
}
