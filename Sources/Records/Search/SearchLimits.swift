/// How much work a search does at most.
package struct SearchLimits: Hashable, Sendable {
    /// The names that are compared each time the index of words is asked. The newest are taken first.
    package var compared = 1_000
    /// The items that are looked at, the newest first, when the index of words cannot help: for a query without words,
    /// or with common words of one or two letters.
    package var scanned = 20_000
    /// The items of a folder that are looked at.
    package var inFolders = 100_000
    /// The items of a client that is confined.
    package var granted = 50_000

    package init() {}
}
