import FileProvider
import FoundationEssentials

/// A server's description of one resource.
struct RemoteEntry: Hashable, Sendable {
    var path: RemotePath
    var isFolder = false
    /// In bytes.
    var size: Int?
    /// In seconds since 1970.
    var modified: Double?
    /// In seconds since 1970.
    var created: Double?
    /// As the server sent it, with quotes and with the mark of a weak tag.
    var entityTag: String?
    /// Nextcloud's file number, which survives a rename.
    var fileIdentifier: String?
    /// The user's permissions, as Nextcloud's letters.
    var permissions: String?
    /// The server's time when it sent this description, in seconds since 1970.
    var observed: Double?

    /// Whether the version identifies one content, and from what age.
    var strength: VersionStrength { VersionStrength(EntityTag(entityTag), modified: modified) }

    /// The seconds until the version identifies one content.
    func settling(_ age: Double) -> Double {
        guard !isFolder, strength == .wholeSecond else { return 0 }
        return Settling.remaining(until: age, modified: modified, now: observed)
    }

    /// The version of the content: the entity tag, or else date and size.
    ///
    /// A weak tag equals the strong one: Apache marks the tags of documents changed in the last second as weak.
    var version: ItemVersion? {
        guard !isFolder else { return nil }
        if let tag = EntityTag(entityTag) { return tag.version }
        return modified.map { ItemVersion(content: "m:\(Int64($0)):\(size.map(String.init) ?? "?")") }
    }

    var capabilities: ItemCapabilities {
        guard let permissions else {
            return isFolder
                ? [.reading, .addingSubItems, .renaming, .deleting] : [.reading, .writing, .renaming, .deleting]
        }
        var result: ItemCapabilities = .reading
        if permissions.contains("D") { result.insert(.deleting) }
        if permissions.contains("N") { result.insert(.renaming) }
        if permissions.contains("W"), !isFolder { result.insert(.writing) }
        if permissions.contains("C"), isFolder { result.insert(.addingSubItems) }
        return result
    }

    /// The resource in the form that the host expects.
    func item(identifier: ItemIdentifier, parent: ItemIdentifier) -> FileProviderItem {
        var item =
            isFolder
            ? FileProviderItem(folder: identifier, parent: parent, filename: path.displayed)
            : FileProviderItem(
                identifier: identifier, parent: parent, filename: path.displayed, size: size, version: version)
        item.modificationDate = modified.map { Date(timeIntervalSince1970: $0) }
        item.creationDate = created.map { Date(timeIntervalSince1970: $0) }
        item.capabilities = capabilities
        return item
    }
}
