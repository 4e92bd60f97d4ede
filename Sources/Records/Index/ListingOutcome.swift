package import FoundationEssentials
package import Rights

/// What taking in a complete listing of a folder did.
package struct ListingOutcome: Hashable, Sendable {
    /// Items that were known and have other content now.
    package var changed: [RemoteItem]
    /// How many were not known in this domain before.
    package var added: Int
    /// What is gone, with everything that was below gone folders, as it was. The caller sees to its files.
    package var removed: [RemoteItem]
    /// Set when too much was missing to be believed; then nothing was removed.
    package var held: HeldListing?
}

/// A listing that lacked so much that somebody must confirm it.
package struct HeldListing: Hashable, Sendable {
    /// The folder.
    package var folder: ItemKey
    /// How many of its items were known.
    package var before: Int
    /// How many the listing has.
    package var after: Int
    /// When such a listing first came.
    package var since: Date
}

/// The rule by which a listing is held.
package enum ListingRule {
    /// Folders with fewer known items are believed.
    package static let smallestHeld = 50

    /// Whether more than half of at least fifty are missing.
    package static func isHeld(known: Int, missing: Int) -> Bool {
        known >= smallestHeld && missing > known - missing
    }
}
