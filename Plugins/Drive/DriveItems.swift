import DriveStore
import FileProvider
import FoundationEssentials

/// The items that a tree shows: its documents and folders, and a document for each conflict.
struct DriveItems {
    let tree: DriveTree

    /// A conflict: a version of a document that is shown beside it.
    struct Conflict: Hashable {
        let item: DriveIdentifier
        let version: DriveIdentifier
    }

    static func identifier(_ item: DriveIdentifier) -> ItemIdentifier {
        item == .root ? .rootContainer : ItemIdentifier(item.description)
    }

    static func identifier(_ conflict: Conflict) -> ItemIdentifier {
        ItemIdentifier("\(conflict.item)~\(conflict.version)")
    }

    /// The drive's item; nil for an identifier of a conflict or of nothing.
    static func item(_ identifier: ItemIdentifier) -> DriveIdentifier? {
        identifier == .rootContainer ? .root : DriveIdentifier(hexadecimal: identifier.rawValue)
    }

    static func conflict(_ identifier: ItemIdentifier) -> Conflict? {
        let parts = identifier.rawValue.split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == 2, let item = DriveIdentifier(hexadecimal: parts[0]),
            let version = DriveIdentifier(hexadecimal: parts[1])
        else { return nil }
        return Conflict(item: item, version: version)
    }

    /// An item by its identifier; nil if it is not shown.
    func item(for identifier: ItemIdentifier) -> FileProviderItem? {
        if identifier == .rootContainer {
            return FileProviderItem(folder: .rootContainer, parent: .rootContainer, filename: "Drive")
        }
        if let conflict = Self.conflict(identifier) {
            guard tree.conflicts[conflict.item]?.contains(conflict.version) == true,
                let parent = tree.parents[conflict.item]
            else { return nil }
            return children(of: parent).first { $0.identifier == identifier }
        }
        return Self.item(identifier).flatMap { describe($0) }
    }

    /// What a folder shows.
    func children(of folder: DriveIdentifier) -> [FileProviderItem] {
        let items = tree.children[folder] ?? []
        var used = Set(items.compactMap { tree.shownNames[$0] })
        return items.flatMap { item -> [FileProviderItem] in
            guard let described = describe(item) else { return [] }
            return [described] + (tree.conflicts[item] ?? []).compactMap { describe(item, $0, &used) }
        }
    }

    /// All items, by identifier.
    var all: [ItemIdentifier: FileProviderItem] {
        var found: [ItemIdentifier: FileProviderItem] = [:]
        for folder in tree.children.keys {
            for item in children(of: folder) { found[item.identifier] = item }
        }
        return found
    }

    private func describe(_ item: DriveIdentifier) -> FileProviderItem? {
        guard let place = tree.placements[item], let name = tree.shownNames[item], let parent = tree.parents[item]
        else {
            return nil
        }
        if place.isFolder {
            return FileProviderItem(folder: Self.identifier(item), parent: Self.identifier(parent), filename: name)
        }
        // The content of a new document may follow its place in the next batch.
        guard let version = tree.current[item], let content = tree.versions[version]?.content else { return nil }
        return document(Self.identifier(item), parent, name, content)
    }

    private func describe(
        _ item: DriveIdentifier, _ version: DriveIdentifier, _ used: inout Set<String>
    ) -> FileProviderItem? {
        guard let name = tree.shownNames[item], let parent = tree.parents[item],
            let known = tree.versions[version]
        else { return nil }
        let shown = tree.conflictName(of: name, known, used: &used)
        var described = document(Self.identifier(Conflict(item: item, version: version)), parent, shown, known.content)
        described.capabilities = [.reading, .deleting]
        return described
    }

    private func document(
        _ identifier: ItemIdentifier, _ parent: DriveIdentifier, _ name: String, _ content: ContentVersion
    ) -> FileProviderItem {
        var item = FileProviderItem(
            identifier: identifier, parent: Self.identifier(parent), filename: name, size: content.size,
            version: ItemVersion(content: content.version.description))
        item.modificationDate = Date(timeIntervalSince1970: Double(content.modified) / 1000)
        item.isUploaded = tree.arrived.contains(content.version)
        return item
    }
}
