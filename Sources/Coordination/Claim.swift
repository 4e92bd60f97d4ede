/// Somebody's wish to read or write some items without others getting in between (SEMANTICS 2.3).
package struct Claim: Hashable, Sendable {
    /// The name of a claim; never used twice in one table.
    package struct Identifier: RawRepresentable, Hashable, Comparable, Sendable {
        /// The number itself.
        package let rawValue: UInt64

        /// Makes a name from a number that the caller keeps unique.
        package init(rawValue: UInt64) { self.rawValue = rawValue }

        /// The order of the numbers.
        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The name of a client's connection: when it ends, all of its claims end.
    package struct Owner: RawRepresentable, Hashable, Sendable {
        /// The number itself.
        package let rawValue: UInt64

        /// Makes a name from a number that the caller keeps unique.
        package init(rawValue: UInt64) { self.rawValue = rawValue }
    }

    /// What is done to an item.
    package enum Access: Hashable, Sendable {
        /// Several may read at once.
        case reading
        /// One alone may write.
        case writing
    }

    /// The name of this claim.
    package let id: Identifier
    /// Whose claim it is.
    package let owner: Owner
    /// The purpose identifier (2.7): claims of one purpose never wait for each other. The caller fills in a unique
    /// one where the client set none.
    package let purpose: String
    /// The items in their canonical order, each once.
    package let items: [ItemKey]

    private let written: Set<ItemKey>

    /// Makes a claim.
    ///
    /// - Parameters:
    ///   - reading: items to read, in any order, also more than once.
    ///   - writing: items to write. One that is listed on both sides is written (2.6).
    package init(
        id: Identifier, owner: Owner, purpose: String, reading: some Sequence<ItemKey> = [ItemKey](),
        writing: some Sequence<ItemKey> = [ItemKey]()
    ) {
        self.id = id
        self.owner = owner
        self.purpose = purpose
        written = Set(writing)
        items = written.union(reading).sorted()
    }

    /// What is done to an item; nil when the claim has nothing to do with it.
    package func access(to item: ItemKey) -> Access? {
        if written.contains(item) { return .writing }
        return items.contains(item) ? .reading : nil
    }

    /// Whether the two may not be held at once by the table of 2.3.
    package func conflicts(with other: Claim) -> Bool {
        guard purpose != other.purpose else { return false }
        let (small, large) = items.count <= other.items.count ? (self, other) : (other, self)
        return small.items.contains { item in
            guard let access = large.access(to: item) else { return false }
            return access == .writing || small.written.contains(item)
        }
    }
}
