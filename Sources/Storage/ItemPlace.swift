/// Where the content of one item lies: a folder of its own in a container, and its name there.
package struct ItemPlace: Hashable, Sendable, Codable {
    /// Absolute path of the domain's document storage.
    package let container: String
    /// The item's folder: its identifier, escaped.
    package let folder: FileName
    /// The file's name.
    package let name: FileName

    /// Names a place.
    package init(container: String, folder: FileName, name: FileName) {
        self.container = container
        self.folder = folder
        self.name = name
    }
}
