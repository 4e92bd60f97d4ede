import FileProvider
import FoundationEssentials
import UniformTypes

/// A document or folder as ``DocumentTree`` keeps it.
struct Entry: Codable, Hashable, Sendable {
    /// Never given twice.
    var identifier: String
    /// The identifier of the folder that it lies in.
    var parent: String
    /// As it was given, byte by byte.
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
    /// The uniform type that whoever made it stated; else the name tells.
    var contentType: String?
    /// Extended attributes, as they were given.
    var attributes: [String: Data]?

    /// What the host is told.
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

    /// Whether it has that name. Swift compares texts as people read them; names are bytes.
    func isNamed(_ other: String) -> Bool { name.utf8.elementsEqual(other.utf8) }
}
