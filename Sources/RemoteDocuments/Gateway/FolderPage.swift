package import DocentInterfaces

/// One page of a folder.
package struct FolderPage: Sendable {
    package var items: [Wire.Item]
    package var nextPage: String?
    /// Why remembered items are returned; nil when the provider was asked, at most a moment ago. Only on the first
    /// page.
    package var remembered: Wire.Remembered?

    /// Creates a page.
    package init(items: [Wire.Item], nextPage: String? = nil, remembered: Wire.Remembered? = nil) {
        self.items = items
        self.nextPage = nextPage
        self.remembered = remembered
    }
}
