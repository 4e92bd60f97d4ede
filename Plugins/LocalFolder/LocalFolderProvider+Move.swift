package import FileProvider

extension LocalFolderProvider {
    /// Moves a file or folder within the root without replacing anything; it keeps its identifier. A repeated operation
    /// finds the item in its new place.
    package func moveItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, to parent: ItemIdentifier, named name: String,
        operation: ChangeOperation
    ) async throws -> FileProviderItem {
        guard let target = LocalName(name), !UnlistedName.isOne(target) else {
            throw FileProviderError(.invalidArgument, "\"\(name)\" cannot be the name of a file.")
        }
        let located = try tree.locate(identifier)
        let folder = try tree.folder(parent)
        let device = try tree.root().device
        let old = LocalFileIdentity(try located.directory.facts(), rootDevice: device)
        let new = LocalFileIdentity(try folder.facts(), rootDevice: device)
        guard old != new || located.name != target else { return try describe(located) }
        if located.facts.kind == .file, let baseVersion, !located.facts.version.hasSameContent(as: baseVersion) {
            throw FileProviderError(.versionOutOfDate, "\"\(located.name.displayed)\" was changed meanwhile.")
        }
        if located.facts.isSymbolicLink { try requireSameTarget(located, movedTo: new, target) }
        try located.directory.move(located.name, to: target, in: folder)
        try folder.synchronize()
        try located.directory.synchronize()
        _ = tree.index.vacate(.init(folder: old, name: located.name))
        let facts = try folder.facts(of: target)
        let identity = LocalFileIdentity(facts, rootDevice: device)
        guard identity == located.identity, let item = try describe(target, facts, in: folder, new, parent, tree.root())
        else {
            throw FileProviderError(.versionOutOfDate, "\"\(target.displayed)\" was replaced just now.")
        }
        if let path = try tree.path(of: identity) { tree.log.saw(identifier.rawValue, at: path) }
        return item
    }

    /// A link may only be moved to a place where it keeps its target: its relative path depends on where it is.
    private func requireSameTarget(
        _ link: FolderTree.Located, movedTo folder: LocalFileIdentity, _ name: LocalName
    ) throws {
        let links = FolderLinks(tree)
        let text = try link.directory.linkText(of: link.name)
        let root = try tree.root()
        let path = folder == root.identity ? [] : try tree.path(of: folder)
        guard let path, let before = try links.target(of: link.name, in: Array(link.path.dropLast())),
            try links.target(text, in: path) == before
        else {
            throw FileProviderError(
                .notSupported,
                "From there the link \"\(link.name.displayed)\" would lead elsewhere, so it stays where it is.")
        }
    }
}
