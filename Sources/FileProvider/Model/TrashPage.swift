/// A part of what is in the trash of a domain.
public struct TrashPage: Hashable, Sendable {
    /// The items in the trash, newest first if possible.
    public var items: [TrashedItem]
    /// The token of the next page, at most ``ItemPage/maximumTokenLength`` bytes; nil for the last page.
    public var nextPage: String?

    /// Creates a page.
    public init(items: [TrashedItem], nextPage: String? = nil) {
        self.items = items
        self.nextPage = nextPage
    }
}
