/// One page of a folder's items.
public struct ItemPage: Hashable, Sendable {
    /// The maximum length of a page token in bytes of UTF-8.
    public static let maximumTokenLength = 470

    /// The items.
    public var items: [FileProviderItem]
    /// The token of the next page, at most ``maximumTokenLength`` bytes; nil after the last one.
    public var nextPage: String?

    /// Creates a page.
    public init(items: [FileProviderItem], nextPage: String? = nil) {
        self.items = items
        self.nextPage = nextPage
    }
}
