package import FoundationEssentials
import Records

/// What became of a deleted item.
package enum Deletion: Hashable, Sendable {
    /// It is in the trash of its provider.
    case trashed
    /// Its provider has no trash, and is asked to delete it at this moment; until then it can be taken back.
    case pending(until: Date)
    /// It was deleted for good.
    case final

    init(_ change: ItemChange) {
        if let moment = change.finalDate {
            self = .pending(until: moment)
        } else {
            self = change.isTrashed == true ? .trashed : .final
        }
    }

    /// When it is final, in seconds since 1970, while it can be taken back without a trash.
    package var finalDate: Double? {
        if case .pending(let moment) = self { moment.timeIntervalSince1970 } else { nil }
    }
}
