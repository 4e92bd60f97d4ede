/// A presenter of an item, or of a folder with everything in it, that is asked before accesses and notified of changes.
package struct Presenter: Hashable, Sendable {
    /// The name of a presenter; never used twice in the same state.
    package struct Identifier: RawRepresentable, Hashable, Comparable, Sendable {
        /// The number.
        package let rawValue: UInt64

        /// Creates a name from a number that the caller keeps unique.
        package init(rawValue: UInt64) { self.rawValue = rawValue }

        /// Compares the numbers.
        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The presenter's name.
    package let id: Identifier
    /// The presenter's owner.
    package let owner: Claim.Owner
    /// The presented item's location. It changes when the item is moved.
    package var location: ItemLocation
    /// The owner's thread that handles its messages, if claims of the same owner can block it.
    package let thread: String?

    /// Creates a presenter.
    package init(id: Identifier, owner: Claim.Owner, location: ItemLocation, thread: String? = nil) {
        self.id = id
        self.owner = owner
        self.location = location
        self.thread = thread
    }
}
