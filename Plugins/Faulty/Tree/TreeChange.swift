/// One change of a ``DocumentTree``, and one line of its journal: all of it happened or nothing.
struct TreeChange: Codable, Sendable {
    /// The operation that made a change, and what was answered.
    struct Done: Codable, Sendable {
        /// The operation's name.
        var operation: String
        /// Of the content it brought.
        var digest: String?
        /// The item as it was then.
        var entry: Entry
        /// What keeps the content that was there.
        var conflict: String?
    }

    /// New and different items.
    var entries: [Entry] = []
    /// Items that are gone.
    var removed: [String] = []
    /// Who did it.
    var done: Done?
    /// Counts the changes of the tree, from 1.
    var sequence = 0
    /// The numbers up to this one are used up.
    var serial = 0
}
