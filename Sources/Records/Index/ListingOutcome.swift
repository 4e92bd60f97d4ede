package import FoundationEssentials
package import Rights

/// The effect of storing a complete listing of a folder.
package struct ListingOutcome: Hashable, Sendable {
    /// Known items whose content has changed.
    package var changed: [RemoteItem]
    /// The number of items that this domain did not have before.
    package var added: Int
    /// The removed items, with everything below removed folders, as they were. The caller removes their files.
    package var removed: [RemoteItem]
    /// The identifiers that were not taken in, because their items are being deleted.
    package var hidden: Set<BytewiseText> = []
    /// Set when too much was missing to be believed; nothing was removed then.
    package var held: HeldListing?
}

/// A listing that lacked so much that the user must confirm it.
package struct HeldListing: Hashable, Sendable {
    /// The folder.
    package var folder: ItemKey
    /// How many of its items were known.
    package var before: Int
    /// How many items the listing has.
    package var after: Int
    /// When such a listing first arrived.
    package var since: Date
}

/// The rule for holding a listing.
package enum ListingRule {
    /// Listings of folders with fewer known items are always believed.
    package static let smallestHeld = 50

    /// Whether more than half of at least fifty are missing.
    package static func isHeld(known: Int, missing: Int) -> Bool {
        known >= smallestHeld && missing > known - missing
    }
}
