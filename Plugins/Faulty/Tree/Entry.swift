import FileProvider
import FoundationEssentials
import UniformTypes

/// A document or folder in a ``DocumentTree``.
struct Entry: Codable, Hashable, Sendable {
    /// Never reused.
    var identifier: String
    /// The identifier of its parent folder.
    var parent: String
    /// The name as given, byte by byte.
    var name: String
    /// Whether it is a folder.
    var isFolder: Bool
    /// The name of the file with its content; nil for folders.
    var content: String?
    /// In bytes.
    var size = 0
    /// Changes with the content.
    var version: String
    /// Seconds since 1970.
    var created: Double
    /// Seconds since 1970.
    var modified: Double
    /// The uniform type that its creator stated; nil: derived from the name.
    var contentType: String?
    /// Extended attributes as given.
    var attributes: [String: Data]?

    /// The item as the host sees it.
    var item: FileProviderItem {
        let identifier = ItemIdentifier(identifier)
        let parent = ItemIdentifier(parent)
        var item =
            isFolder
            ? FileProviderItem(folder: identifier, parent: parent, filename: name)
            : FileProviderItem(
                identifier: identifier, parent: parent, filename: name, size: size,
                version: ItemVersion(content: version))
        item.contentType = contentType.flatMap { UniformType($0) }
        item.creationDate = Date(timeIntervalSince1970: created)
        item.modificationDate = Date(timeIntervalSince1970: modified)
        return item
    }

    /// Whether it has that name. Compares bytes, because Swift compares texts by their look.
    func isNamed(_ other: String) -> Bool { name.utf8.elementsEqual(other.utf8) }
}
