package import DocentInterfaces
import HostCore

/// What a failed question about an item says of its existence. Pure.
///
/// Unreachable is not deleted (law 6, HAZARDS 2 to 4): only a provider's own `NoSuchItem` says that something is missing, and
/// even that is confirmed by its parent before anything is removed.
package enum Existence: Hashable, Sendable {
    /// The provider says that there is no such item.
    case missing
    /// Nobody knows; what is here is served.
    case unknown
    /// The provider knows the item and refuses, or the caller gave up: the failure is the answer.
    case refused

    package init(_ failure: Failure) {
        switch ProviderFailureKind(failure) {
        case .missing: self = .missing
        case .refused, .cancelled: self = .refused
        default: self = .unknown
        }
    }
}
