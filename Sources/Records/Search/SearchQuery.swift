/// What somebody searches: words, and conditions on the facts of an item. An item is found when it meets all of them.
package struct SearchQuery: Hashable, Sendable {
    /// A text that a name has to contain, or must not contain.
    package struct Word: Hashable, Sendable {
        /// The folded text (``NameFolding``); never empty. It has spaces if it was a phrase.
        package var text: String
        /// Whether the name must not contain it.
        package var isExcluded = false
        /// Whether only the item's own name counts, not those of the folders around it.
        package var isInName = false

        package init(_ text: String, isExcluded: Bool = false, isInName: Bool = false) {
            self.text = text
            self.isExcluded = isExcluded
            self.isInName = isInName
        }
    }

    /// The state of an item on this machine.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// Its content is on this machine.
        case downloaded
        /// Its content is only at the provider.
        case cloud
        /// It is always kept on this machine.
        case pinned
        /// It has changes that the provider does not have yet.
        case unsent
    }

    /// A condition, or its opposite.
    package struct Condition<Value: Hashable & Sendable>: Hashable, Sendable {
        package var value: Value
        package var isExcluded: Bool

        package init(_ value: Value, isExcluded: Bool = false) {
            self.value = value
            self.isExcluded = isExcluded
        }
    }

    /// The texts in the order in which they were written.
    package var words: [Word] = []
    /// Uniform type identifiers; an item has to conform to each.
    package var types: [Condition<String>] = []
    /// States that an item has to be in.
    package var states: [Condition<State>] = []
    /// Changed at this time or later, in seconds since 1970.
    package var newest: Double?
    /// Changed before this time, in seconds since 1970.
    package var oldest: Double?
    /// At least so many bytes.
    package var smallest: Int64?
    /// At most so many bytes.
    package var largest: Int64?

    package init() {}

    /// Whether it has no words and no conditions, so that it finds everything.
    package var isEmpty: Bool { self == SearchQuery() }

    /// The words that a name has to contain.
    package var wanted: [Word] { words.filter { !$0.isExcluded } }

    /// The words that a name must not contain.
    package var unwanted: [Word] { words.filter(\.isExcluded) }
}
