/// Where the content of one item is stored: its own folder in one of Docent's places, and its name there.
package struct ItemPlace: Hashable, Sendable {
    /// The place of the domain's local copies.
    package let container: OwnPath
    /// The item's folder: its identifier, escaped.
    package let folder: FileName
    /// The file's name.
    package let name: FileName

    /// Creates a place.
    package init(container: OwnPath, folder: FileName, name: FileName) {
        self.container = container
        self.folder = folder
        self.name = name
    }
}
