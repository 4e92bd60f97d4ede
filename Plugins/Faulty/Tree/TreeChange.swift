/// One change of a ``DocumentTree``, and one line of its journal: it is applied as a whole or not at all.
struct TreeChange: Codable, Sendable {
    /// The operation of a change, and its answer.
    struct Done: Codable, Sendable {
        /// The operation's name.
        var operation: String
        /// The digest of its content.
        var digest: String?
        /// The item at that time.
        var entry: Entry
        /// The item that keeps the previous content.
        var conflict: String?
    }

    /// An item with everything below it, in the trash.
    struct TrashedTree: Codable, Sendable {
        /// The item first.
        var entries: [Entry]
        /// Seconds since 1970.
        var deleted: Double
    }

    /// New and changed items.
    var entries: [Entry] = []
    /// Items that are gone.
    var removed: [String] = []
    /// The operation.
    var done: Done?
    /// The items that were moved to the trash.
    var trashed: [TrashedTree]?
    /// The items that left the trash, by the identifiers of their roots.
    var untrashed: [String]?
    /// The documents with the contents that were replaced, where there is a history.
    var earlier: [Entry]?
    /// The number of the change, from 1.
    var sequence = 0
    /// Numbers up to this one are in use.
    var serial = 0
}
