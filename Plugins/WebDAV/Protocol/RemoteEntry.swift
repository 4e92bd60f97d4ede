import FileProvider
import FoundationEssentials

/// What a server says of one resource.
struct RemoteEntry: Hashable, Sendable {
    var path: RemotePath
    var isFolder = false
    /// In bytes.
    var size: Int?
    /// In seconds since 1970.
    var modified: Double?
    /// In seconds since 1970.
    var created: Double?
    /// As it stands, quoted and marked as weak if it is.
    var entityTag: String?
    /// Nextcloud's number of a file, which survives a rename.
    var fileIdentifier: String?
    /// What Nextcloud lets the user do with it, as letters.
    var permissions: String?
    /// The server's time when it said all this, in seconds since 1970.
    var observed: Double?

    /// Whether its version is that of one content only, from whenever it is looked at.
    var strength: VersionStrength { VersionStrength(EntityTag(entityTag), modified: modified) }

    /// The seconds until its version can be taken for that of one content.
    func settling(_ age: Double) -> Double {
        guard !isFolder, strength == .wholeSecond else { return 0 }
        return Settling.remaining(until: age, modified: modified, now: observed)
    }

    /// The version of its content: the entity tag, else date and size.
    ///
    /// A tag counts as the same whether it is marked as weak or not: Apache marks those of the last second.
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

    /// The item as the host sees it.
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
