/// A part of what a picker shows in a folder.
public struct DocumentPickerPage: Hashable, Sendable {
    /// The entries.
    public var entries: [DocumentPickerEntry]
    /// What brings the next page, at most 470 bytes; nil after the last one.
    public var nextPage: String?

    /// A page.
    public init(entries: [DocumentPickerEntry], nextPage: String? = nil) {
        self.entries = entries
        self.nextPage = nextPage
    }
}
