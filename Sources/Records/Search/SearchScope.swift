package import Rights

/// Where a search looks.
package struct SearchScope: Sendable {
    /// Only these accounts; an account that is closed, removed or disabled is not among them.
    package var accounts: Set<SearchAccount.Identity>
    /// Only what is in these folders, if there are any.
    package var folders: [ItemKey]
    /// Only these items and what is in them; nil for everything. For a client these are its rights, and no other item
    /// is even looked at.
    package var granted: [ItemKey]?
    /// Whether an item of a type is searched, for the types that a query names.
    package var conforms: @Sendable (_ type: String, _ wanted: String) -> Bool

    /// Creates a scope.
    package init(
        accounts: Set<SearchAccount.Identity>, folders: [ItemKey] = [], granted: [ItemKey]? = nil,
        conforms: @escaping @Sendable (_ type: String, _ wanted: String) -> Bool = { $0 == $1 }
    ) {
        self.accounts = accounts
        self.folders = folders
        self.granted = granted
        self.conforms = conforms
    }
}

/// An item that a search found.
package struct SearchHit: Hashable, Sendable {
    /// The facts by which it was found.
    package var item: IndexedItem
    /// Where it is, from the top of its account, if all folders above it are known.
    package var path: String?
    /// How well it fits (``SearchRank``).
    package var score: Double

    package init(item: IndexedItem, path: String?, score: Double) {
        self.item = item
        self.path = path
        self.score = score
    }
}

/// What a search found.
package struct SearchAnswer: Hashable, Sendable {
    /// The best items, the best first.
    package var hits: [SearchHit] = []
    /// Whether there are more, or so many names fit that not all were compared.
    package var isCut = false

    package init(hits: [SearchHit] = [], isCut: Bool = false) {
        self.hits = hits
        self.isCut = isCut
    }
}
