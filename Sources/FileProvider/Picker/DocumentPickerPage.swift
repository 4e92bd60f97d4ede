/// One page of a folder's entries in a picker.
public struct DocumentPickerPage: Hashable, Sendable {
    /// The entries.
    public var entries: [DocumentPickerEntry]
    /// The token of the next page, at most 470 bytes; nil after the last one.
    public var nextPage: String?

    /// Creates a page.
    public init(entries: [DocumentPickerEntry], nextPage: String? = nil) {
        self.entries = entries
        self.nextPage = nextPage
    }
}
