package import DocentInterfaces

/// One page of a folder.
package struct FolderPage: Sendable {
    package var items: [Wire.Item]
    package var nextPage: String?
    /// Why it is what was known before; nil when its provider was asked, a moment ago at most. With the first page only.
    package var remembered: Wire.Remembered?

    /// A page with its items.
    package init(items: [Wire.Item], nextPage: String? = nil, remembered: Wire.Remembered? = nil) {
        self.items = items
        self.nextPage = nextPage
        self.remembered = remembered
    }
}
