import FileProvider

extension LocalFolderProvider {
    /// Describes an item that was found by its identifier, with the same identifier.
    func describe(_ located: FolderTree.Located, _ facts: LocalFileFacts? = nil) throws -> FileProviderItem {
        let facts = facts ?? located.facts
        let parent = try tree.identifier(of: located.directory)
        guard facts.isSymbolicLink else {
            var item = item(located.identifier, located.name, facts, parent)
            if facts.kind == .folder {
                item.ignoresCase = try? located.directory.directory(at: [located.name]).ignoresCase
            }
            return item
        }
        guard let target = try FolderLinks(tree).target(of: located.name, in: Array(located.path.dropLast())) else {
            throw FileProviderError(
                .noSuchItem, "The link \"\(located.name.displayed)\" does not lead to an item of the folder.")
        }
        return link(located.identifier, located.name, facts, parent, target)
    }

    /// Describes a name in a folder; nil if it is neither a document nor a folder.
    func describe(
        _ name: LocalName, _ facts: LocalFileFacts, in folder: LocalDirectory, _ parent: ItemIdentifier
    ) throws -> FileProviderItem? {
        let root = try tree.root()
        let own = LocalFileIdentity(try folder.facts(), rootDevice: root.device)
        return try describe(name, facts, in: folder, own, parent, root)
    }

    /// Describes a name in a folder whose identity is known, below the root as it is now.
    func describe(
        _ name: LocalName, _ facts: LocalFileFacts, in folder: LocalDirectory, _ own: LocalFileIdentity,
        _ parent: ItemIdentifier, _ root: FolderTree.Root
    ) throws -> FileProviderItem? {
        var target: ItemIdentifier?
        if facts.isSymbolicLink {
            let path = own == root.identity ? [] : try tree.path(of: own)
            target = try path.flatMap { try FolderLinks(tree).target(of: name, in: $0) }
        }
        guard facts.kind != .other || target != nil else { return nil }
        let identity = LocalFileIdentity(facts, rootDevice: root.device)
        let place = PlaceIndex.Place(folder: own, name: name)
        // If another program saved by a rename just now, the watcher knows which identifier the new file keeps.
        if facts.kind == .file, let before = tree.index.occupant(of: place), before != identity { watcher?.settle(own) }
        tree.index.record(identity, at: place)
        if let target { return link(ItemIdentifier(tree.log.identifier(of: identity)), name, facts, parent, target) }
        return item(ItemIdentifier(tree.log.identifier(of: identity)), name, facts, parent)
    }

    private func link(
        _ identifier: ItemIdentifier, _ name: LocalName, _ facts: LocalFileFacts, _ parent: ItemIdentifier,
        _ target: ItemIdentifier
    ) -> FileProviderItem {
        var item = FileProviderItem(
            symbolicLink: identifier, parent: parent, filename: name.displayed, target: target)
        item.version = facts.version
        item.isDownloaded = true
        item.isUploaded = true
        item.capabilities = [.renaming, .deleting]
        item.modificationDate = facts.modificationDate
        item.creationDate = facts.creationDate
        return item
    }

    private func item(
        _ identifier: ItemIdentifier, _ name: LocalName, _ facts: LocalFileFacts, _ parent: ItemIdentifier
    ) -> FileProviderItem {
        var item: FileProviderItem
        if facts.kind == .folder {
            item = FileProviderItem(folder: identifier, parent: parent, filename: name.displayed)
            item.capabilities = [.reading, .renaming, .addingSubItems, .deleting]
        } else {
            item = FileProviderItem(
                identifier: identifier, parent: parent, filename: name.displayed, size: facts.size,
                version: facts.version)
            item.isDownloaded = true
            item.isUploaded = true
            item.capabilities = [.reading, .renaming, .deleting]
            if facts.links == 1, facts.permissions & 0o222 != 0 { item.capabilities?.insert(.writing) }
        }
        item.modificationDate = facts.modificationDate
        item.creationDate = facts.creationDate
        item.thumbnail = thumbnails.name(of: facts)
        return item
    }
}
