package import DocentInterfaces

/// The decisions that wait for the user at one moment.
package struct Attention: Sendable, Hashable {
    /// The documents with unresolved conflicts.
    package var conflicts: [ConflictedDocument]
    /// The programs whose changes are held.
    package var programs: [Wire.HeldClient]
    /// The folders whose listings are held.
    package var listings: [Wire.HeldListing]

    package init(
        conflicts: [ConflictedDocument] = [], programs: [Wire.HeldClient] = [], listings: [Wire.HeldListing] = []
    ) {
        self.conflicts = conflicts
        self.programs = programs
        self.listings = listings
    }
}
