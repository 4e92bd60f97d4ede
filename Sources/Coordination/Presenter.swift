/// Somebody who shows an item, or a folder with all that is in it, and wants to be asked and told (SEMANTICS 2.4).
package struct Presenter: Hashable, Sendable {
    /// The name of a presenter; never used twice in one state.
    package struct Identifier: RawRepresentable, Hashable, Comparable, Sendable {
        /// The number itself.
        package let rawValue: UInt64

        /// Makes a name from a number that the caller keeps unique.
        package init(rawValue: UInt64) { self.rawValue = rawValue }

        /// The order of the numbers.
        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The name of this presenter.
    package let id: Identifier
    /// Whose presenter it is.
    package let owner: Claim.Owner
    /// What it presents. It changes when the item is moved (2.5).
    package var location: ItemLocation
    /// The owner's thread on which it handles messages, if claims of that owner can block it (2.9, 1).
    package let thread: String?

    /// Describes a presenter.
    package init(id: Identifier, owner: Claim.Owner, location: ItemLocation, thread: String? = nil) {
        self.id = id
        self.owner = owner
        self.location = location
        self.thread = thread
    }
}
