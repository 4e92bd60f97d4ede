package import FileProvider
import Glibc

extension LocalFolderProvider {
    /// Creates a file or folder without replacing another one. A repeated operation finds its result in the log.
    package func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        try await createItem(
            basedOn: template, contents: contents, operation: operation, progress: TransferProgress())
    }

    /// Does the same and reports progress.
    package func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation, progress: TransferProgress
    ) async throws -> FileProviderItem {
        guard let name = LocalName(template.filename), !UnlistedName.isOne(name) else {
            throw FileProviderError(.invalidArgument, "\"\(template.filename)\" cannot be the name of a file.")
        }
        if let made = tree.log.made(by: operation) {
            let identifier = ItemIdentifier(tree.log.identifier(of: made.identity))
            if let located = try? tree.locate(identifier) { return try describe(located) }
        }
        let folder = try tree.folder(template.parent)
        let identity: LocalFileIdentity
        if let contents {
            let staged = try LocalFileReplacement(
                new: name, in: folder, contents: contents, operation: operation.identifier, progress: progress)
            identity = LocalFileIdentity(staged.facts, rootDevice: try tree.root().device)
            try tree.log.note(operation, identity, isDone: false)
            thumbnails.keep(contents.metadata?.thumbnail, of: staged.facts)
            do {
                _ = try staged.create()
            } catch {
                thumbnails.forget(staged.facts)
                throw error
            }
        } else {
            try folder.makeDirectory(name)
            identity = LocalFileIdentity(try folder.facts(of: name), rootDevice: try tree.root().device)
        }
        try tree.log.note(operation, identity, isDone: true)
        guard let item = try describe(name, folder.facts(of: name), in: folder, template.parent) else {
            throw FileProviderError(.versionOutOfDate, "\"\(name.displayed)\" was replaced just now.")
        }
        tree.log.saw(item.identifier.rawValue, at: try tree.path(of: identity) ?? [])
        return item
    }

    /// Replaces the file, which keeps its identifier. The current file is kept beside it if it is not the base. A
    /// repeated operation is recognised by the log and by the file that it left.
    package func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem {
        try await modifyItem(
            identifier, baseVersion: baseVersion, contents: contents, operation: operation,
            progress: TransferProgress())
    }

    /// Does the same and reports progress.
    package func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation,
        progress: TransferProgress
    ) async throws -> ModifiedItem {
        let located = try tree.locate(identifier)
        try requireNoLink(located)
        if let made = tree.log.made(by: operation),
            let result = try resume(operation, made, located, baseVersion)
        {
            return result
        }
        let staged = try LocalFileReplacement(
            of: located.name, in: located.directory, contents: contents, operation: operation.identifier,
            progress: progress)
        let identity = LocalFileIdentity(staged.facts, rootDevice: try tree.root().device)
        try tree.log.note(operation, identity, isDone: false)
        try tree.log.bind(identifier.rawValue, identity)
        thumbnails.keep(contents.metadata?.thumbnail, of: staged.facts)
        let outcome: LocalFileReplacement.Outcome
        do {
            outcome = try staged.replace(base: baseVersion)
        } catch {
            let now = try? located.directory.facts(of: located.name)
            if now?.inode != staged.facts.inode {
                tree.log.unbind(identifier.rawValue, identity)
                thumbnails.forget(staged.facts)
            }
            throw error
        }
        try tree.log.note(operation, identity, isDone: true)
        if outcome.conflict == nil { thumbnails.forget(located.facts) }
        return try finish(located, outcome.conflict)
    }

    /// Deletes the file or folder if it still has the base version.
    package func deleteItem(_ identifier: ItemIdentifier, baseVersion: ItemVersion?, recursive: Bool) async throws {
        let located = try tree.locate(identifier)
        if located.facts.kind == .folder {
            if recursive { try removeAll(in: located.directory.directory(at: [located.name])) }
            try located.directory.remove(located.name, isFolder: true)
            let folder = LocalFileIdentity(try located.directory.facts(), rootDevice: try tree.root().device)
            try forget(located.identity, at: .init(folder: folder, name: located.name))
        } else {
            guard (baseVersion ?? located.facts.version) == located.facts.version else {
                throw FileProviderError(.versionOutOfDate, "\"\(located.name.displayed)\" was changed meanwhile.")
            }
            try located.directory.remove(located.name, ifStill: located.facts)
            let folder = LocalFileIdentity(try located.directory.facts(), rootDevice: try tree.root().device)
            try forget(located.identity, at: .init(folder: folder, name: located.name))
        }
        thumbnails.forget(located.facts)
        try located.directory.synchronize()
    }

    /// Completes an operation that a crash interrupted; nil when it has to start over.
    private func resume(
        _ operation: ChangeOperation, _ made: IdentityRecords.Operation, _ located: FolderTree.Located,
        _ base: ItemVersion?
    ) throws -> ModifiedItem? {
        let directory = located.directory
        let left = try LocalFileReplacement.leftover(of: operation.identifier, in: directory)
        let leftIdentity = try left.map { LocalFileIdentity($0, rootDevice: try tree.root().device) }
        let isPublished =
            made.isDone || located.identity == made.identity || (left != nil && leftIdentity != made.identity)
        var conflict: LocalName?
        if let left {
            let isBase = base.map { left.version.hasSameContent(as: $0) } ?? true
            conflict = try LocalFileReplacement.finishLeftover(
                of: operation.identifier, displacedFrom: located.name, in: directory, keep: isPublished && !isBase)
        }
        guard isPublished else { return nil }
        try tree.log.note(operation, made.identity, isDone: true)
        return try finish(located, conflict)
    }

    func finish(_ located: FolderTree.Located, _ conflict: LocalName?) throws -> ModifiedItem {
        let root = try tree.root()
        let folder = LocalFileIdentity(try located.directory.facts(), rootDevice: root.device)
        let facts = try located.directory.facts(of: located.name)
        tree.index.record(
            LocalFileIdentity(facts, rootDevice: root.device), at: .init(folder: folder, name: located.name))
        var kept: ItemIdentifier?
        if let conflict {
            let identity = LocalFileIdentity(try located.directory.facts(of: conflict), rootDevice: root.device)
            tree.index.record(identity, at: .init(folder: folder, name: conflict))
            // The displaced file had this identifier until now; it needs a new one.
            if tree.log.identifier(of: identity) == located.identifier.rawValue {
                try tree.log.bind("\(identity.text)~\(String(UInt64.random(in: .min ... .max), radix: 36))", identity)
            }
            kept = ItemIdentifier(tree.log.identifier(of: identity))
        }
        return ModifiedItem(item: try describe(located, facts), conflict: kept)
    }

    // A new file in its place is another item.
    private func forget(_ identity: LocalFileIdentity, at place: PlaceIndex.Place) throws {
        tree.index.forget(identity, at: place)
        try tree.log.forget(tree.log.identifier(of: identity))
    }

    /// Deletes the contents of a folder.
    func removeAll(in directory: LocalDirectory, depth: Int = 0) throws {
        guard depth < 512 else { throw FileProviderError(.notSupported, "The folders are nested too deeply.") }
        for entry in try LocalListing(directory) {
            let facts = try directory.facts(of: entry.name)
            let kind = facts.kind
            if kind == .folder {
                try removeAll(in: directory.directory(at: [entry.name]), depth: depth + 1)
            }
            try directory.remove(entry.name, isFolder: kind == .folder)
            let device = try tree.root().device
            try forget(
                LocalFileIdentity(facts, rootDevice: device),
                at: .init(folder: LocalFileIdentity(try directory.facts(), rootDevice: device), name: entry.name))
        }
    }
}
