/// A part of the earlier contents of a document.
public struct EarlierVersionPage: Hashable, Sendable {
    /// The versions, in any order.
    public var versions: [EarlierVersion]
    /// The token of the next page, at most ``ItemPage/maximumTokenLength`` bytes; nil for the last page.
    public var nextPage: String?

    /// Creates a page.
    public init(versions: [EarlierVersion], nextPage: String? = nil) {
        self.versions = versions
        self.nextPage = nextPage
    }
}
