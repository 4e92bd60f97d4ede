import Records

/// What became of a deleted item.
package enum Deletion: Hashable, Sendable {
    /// It is in the trash of its provider.
    case trashed
    /// It was deleted for good.
    case final

    init(_ change: ItemChange) { self = change.isTrashed == true ? .trashed : .final }
}
