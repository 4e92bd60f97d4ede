/// A part of a folder's items.
public struct ItemPage: Hashable, Sendable {
    /// The most bytes that a page token may have in UTF-8.
    public static let maximumTokenLength = 470

    /// The items.
    public var items: [FileProviderItem]
    /// What brings the next page, at most ``maximumTokenLength`` bytes; nil after the last one.
    public var nextPage: String?

    /// A page.
    public init(items: [FileProviderItem], nextPage: String? = nil) {
        self.items = items
        self.nextPage = nextPage
    }
}
