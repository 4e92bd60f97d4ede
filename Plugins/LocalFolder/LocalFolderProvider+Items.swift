import FileProvider

extension LocalFolderProvider {
    /// Describes what was found by its identifier, which it keeps in the answer.
    func describe(_ located: FolderTree.Located, _ facts: LocalFileFacts? = nil) throws -> FileProviderItem {
        item(
            located.identifier, located.name, facts ?? located.facts,
            try tree.identifier(of: located.directory))
    }

    /// Describes a name of a folder that somebody asked for; nil for what is neither document nor folder.
    func describe(
        _ name: LocalName, _ facts: LocalFileFacts, in folder: LocalDirectory, _ parent: ItemIdentifier
    ) throws -> FileProviderItem? {
        let own = FileIdentity(try folder.facts(), rootDevice: try tree.root().device)
        return try describe(name, facts, in: folder, own, parent)
    }

    /// Describes a name of a folder whose identity is known.
    func describe(
        _ name: LocalName, _ facts: LocalFileFacts, in folder: LocalDirectory, _ own: FileIdentity,
        _ parent: ItemIdentifier
    ) throws -> FileProviderItem? {
        guard facts.kind != .other else { return nil }
        let identity = FileIdentity(facts, rootDevice: try tree.root().device)
        tree.index.record(identity, at: .init(folder: own, name: name))
        return item(ItemIdentifier(tree.log.identifier(of: identity)), name, facts, parent)
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
