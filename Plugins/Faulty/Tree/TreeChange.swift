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

    /// New and changed items.
    var entries: [Entry] = []
    /// Items that are gone.
    var removed: [String] = []
    /// The operation.
    var done: Done?
    /// The number of the change, from 1.
    var sequence = 0
    /// Numbers up to this one are in use.
    var serial = 0
}
