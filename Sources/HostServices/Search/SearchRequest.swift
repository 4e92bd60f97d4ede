package import DocentInterfaces
package import Records
package import Rights

/// A search of a client, checked.
package struct SearchRequest: Sendable {
    /// The largest number of items that one search gives.
    package static let mostItems = 10_000
    /// The number of items without a limit of the caller.
    package static let standardItems = 100
    /// The most folders that a search may be limited to.
    package static let mostFolders = 100

    /// The words and conditions.
    package var query: SearchQuery
    /// The folders in which is searched.
    package var folders: [ItemKey]
    /// A client of whose documents only is searched.
    package var grantedTo: String?
    /// The most items.
    package var limit: Int
}

/// What a search sends.
package enum SearchReply: Sendable {
    /// Items, more of which follow.
    case found([RankedItem])
    /// The last items, and what could not be searched.
    case gathered([RankedItem], gaps: [Wire.SearchGap], isCut: Bool)
    /// Items that have changed or are new, and those that are found no more.
    case changed([RankedItem], gone: [ItemKey], gaps: [Wire.SearchGap]?)

    /// An item, and how well it fits.
    package struct RankedItem: Sendable, Hashable {
        package var item: Wire.Item
        package var rank: Double
    }
}
