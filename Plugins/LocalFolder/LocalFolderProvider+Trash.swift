package import FileProvider
import Glibc

// A file in the trash is the same file, with the same inode and birth time: so it gets its identifier back.
extension LocalFolderProvider {
    private static let trashPage = 1_000
    private static let deepest = 512

    /// Moves the file or folder to the trash of the shared folder if it still has the base version.
    package func trashItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, operation: ChangeOperation
    ) async throws -> String? {
        let located = try tree.locate(identifier)
        let root = try tree.root()
        let isFolder = located.facts.kind == .folder
        guard isFolder || (baseVersion ?? located.facts.version) == located.facts.version else {
            throw Self.changed(located)
        }
        guard located.facts.device == root.device, try located.directory.facts().device == root.device else {
            throw FileProviderError(
                .notSupported, "\"\(located.name.displayed)\" is on another file system than the trash of the folder.")
        }
        guard let trash = try TrashFolder(in: root.directory, makes: true) else {
            throw FileProviderError(.notSupported, "The folder can have no trash.")
        }
        let name = try trash.reserve(located.name, TrashInfo(path: located.path, deleted: Int64(time(nil))))
        do {
            try tree.log.trashed(identifier.rawValue, at: located.path)
            try located.directory.move(located.name, to: name, in: trash.files)
            guard try isFolder || trash.files.facts(of: name).hasSameContent(as: located.facts) else {
                try trash.files.move(name, to: located.name, in: located.directory)
                throw Self.changed(located)
            }
        } catch {
            trash.release(name)
            try? tree.log.bind(identifier.rawValue, located.identity)
            throw error
        }
        let folder = LocalFileIdentity(try located.directory.facts(), rootDevice: root.device)
        tree.index.forget(located.identity, at: .init(folder: folder, name: located.name))
        try trash.files.synchronize()
        try located.directory.synchronize()
        return FolderLists.token(name)
    }

    /// Lists the trash, by name. Anything that another program put there is listed too, without a place if its
    /// record names none in this folder.
    package func trashedItems(page: String?) async throws -> TrashPage {
        let root = try tree.root()
        guard let trash = try TrashFolder(in: root.directory, makes: false) else { return TrashPage(items: []) }
        if page == nil { try trash.tidy() }
        let listing = try LocalListing(trash.files)
        var position = 0
        if let page {
            guard let last = FolderLists.name(page) else {
                throw FileProviderError(.invalidArgument, "This is not a page of the trash.")
            }
            position = listing.position(after: last)
        }
        var items: [TrashedItem] = []
        while position < listing.count, items.count < Self.trashPage {
            if let item = trashed(listing[position].name, in: trash, root) { items.append(item) }
            position += 1
        }
        let next = position < listing.count ? FolderLists.token(listing[position - 1].name) : nil
        return TrashPage(items: items, nextPage: next)
    }

    private func trashed(_ name: LocalName, in trash: TrashFolder, _ root: FolderTree.Root) -> TrashedItem? {
        guard name.bytes.count <= TrashFolder.longestName, let facts = try? trash.files.facts(of: name),
            facts.kind != .other || facts.isSymbolicLink
        else { return nil }
        let record = trash.record(of: name)
        let path = record.path.flatMap { $0.contains(where: UnlistedName.isOne) ? nil : $0 }
        let parent = path.flatMap { try? root.directory.directory(at: Array($0.dropLast())) }
        let identity = LocalFileIdentity(facts, rootDevice: root.device)
        return TrashedItem(
            identifier: FolderLists.token(name), filename: (path?.last ?? name).displayed,
            path: path?.map(\.displayed), parent: parent.flatMap { try? tree.identifier(of: $0) },
            item: ItemIdentifier(tree.log.identifier(of: identity)), deletionDate: record.deleted.map(Double.init),
            size: facts.kind == .file ? facts.size : nil, isFolder: facts.kind == .folder)
    }

    /// Moves something from the trash to a folder without replacing anything; it gets its identifier back. A repeated
    /// operation finds its result in the log.
    package func restoreItem(
        _ trashed: String, to parent: ItemIdentifier?, named name: String?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        if let made = tree.log.made(by: operation),
            let located = try? tree.locate(ItemIdentifier(tree.log.identifier(of: made.identity)))
        {
            return try describe(located)
        }
        let root = try tree.root()
        let (trash, old, facts) = try inTrash(trashed, root)
        let path = trash.record(of: old).path
        let target = try name.map(Self.name) ?? path?.last ?? old
        guard !UnlistedName.isOne(target) else { throw Self.noName(target.displayed) }
        let folder = try parent.map(tree.folder) ?? formerFolder(path, root)
        let own = LocalFileIdentity(try folder.facts(), rootDevice: root.device)
        if facts.isSymbolicLink { try requireTarget(of: old, in: trash, movedTo: own) }
        let identity = LocalFileIdentity(facts, rootDevice: root.device)
        try tree.log.note(operation, identity, isDone: false)
        let identifier = tree.log.identifier(of: identity)
        // It is an item again: what is learned of its place counts.
        try tree.log.bind(identifier, identity)
        try trash.files.move(old, to: target, in: folder)
        try folder.synchronize()
        try trash.files.synchronize()
        trash.release(old)
        try tree.log.note(operation, identity, isDone: true)
        let now = try folder.facts(of: target)
        guard LocalFileIdentity(now, rootDevice: root.device) == identity,
            let item = try describe(target, now, in: folder, own, tree.identifier(of: folder), root)
        else {
            throw FileProviderError(.versionOutOfDate, "\"\(target.displayed)\" was replaced just now.")
        }
        if now.kind == .folder { revive(try folder.directory(at: [target])) }
        if let place = try tree.path(of: identity) { tree.log.saw(identifier, at: place) }
        return item
    }

    // What came back with its folder is an item again as well.
    private func revive(_ directory: LocalDirectory, depth: Int = 0) {
        guard depth < Self.deepest, let device = try? tree.root().device, let listing = try? LocalListing(directory)
        else {
            return
        }
        for entry in listing {
            guard let facts = try? directory.facts(of: entry.name) else { continue }
            let identity = LocalFileIdentity(facts, rootDevice: device)
            let identifier = tree.log.identifier(of: identity)
            if tree.log.read({ $0.isGone(identifier) }) { try? tree.log.bind(identifier, identity, durably: false) }
            if facts.kind == .folder, let inner = try? directory.directory(at: [entry.name]) {
                revive(inner, depth: depth + 1)
            }
        }
    }

    /// Deletes something in the trash for good.
    package func deleteTrashedItem(_ trashed: String) async throws {
        let root = try tree.root()
        let (trash, name, facts) = try inTrash(trashed, root)
        if facts.kind == .folder { try removeAll(in: trash.files.directory(at: [name])) }
        try trash.files.remove(name, isFolder: facts.kind == .folder)
        trash.release(name)
        thumbnails.forget(facts)
        try tree.log.forget(tree.log.identifier(of: LocalFileIdentity(facts, rootDevice: root.device)))
        try trash.files.synchronize()
    }

    private func inTrash(
        _ trashed: String, _ root: FolderTree.Root
    ) throws -> (TrashFolder, LocalName, LocalFileFacts) {
        guard let name = FolderLists.name(trashed), name.bytes.count <= TrashFolder.longestName,
            let trash = try TrashFolder(in: root.directory, makes: false)
        else { throw FileProviderError(.noSuchItem, "It is not in the trash.") }
        let facts = try trash.files.facts(of: name)
        guard facts.kind != .other || facts.isSymbolicLink else {
            throw FileProviderError(.noSuchItem, "It is not in the trash.")
        }
        return (trash, name, facts)
    }

    private func formerFolder(_ path: [LocalName]?, _ root: FolderTree.Root) throws -> LocalDirectory {
        guard let path, !path.contains(where: UnlistedName.isOne) else {
            throw FileProviderError(
                .noSuchItem, "The trash does not say where in this folder it was. Name a folder to restore it to.")
        }
        do {
            return try root.directory.directory(at: Array(path.dropLast()))
        } catch let error as FileProviderError where [.noSuchItem, .notPermitted].contains(error.code) {
            throw FileProviderError(
                .noSuchItem, "The folder that it was in does not exist any more. Name another one.", causedBy: error)
        }
    }

    private func requireTarget(of name: LocalName, in trash: TrashFolder, movedTo folder: LocalFileIdentity) throws {
        let root = try tree.root()
        let path = folder == root.identity ? [] : try tree.path(of: folder)
        guard let path, try FolderLinks(tree).target(trash.files.linkText(of: name), in: path) != nil else {
            throw FileProviderError(
                .notSupported, "From there the link \"\(name.displayed)\" would not lead to an item of the folder.")
        }
    }

    private static func name(_ text: String) throws -> LocalName {
        guard let name = LocalName(text) else { throw noName(text) }
        return name
    }

    private static func noName(_ text: String) -> FileProviderError {
        FileProviderError(.invalidArgument, "\"\(text)\" cannot be the name of a file.")
    }

    private static func changed(_ located: FolderTree.Located) -> FileProviderError {
        FileProviderError(.versionOutOfDate, "\"\(located.name.displayed)\" was changed meanwhile.")
    }
}
