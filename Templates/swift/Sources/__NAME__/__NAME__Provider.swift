import FileProvider
import FoundationEssentials

/// The provider that the manifest names. It answers Docent's calls from a ``Service``, which you replace with your own.
///
/// Docent creates one for each account and calls it from many tasks at once. It is an actor, so that one change ends
/// before the next begins.
actor @NAME@Provider: ReplicatedFileProvider {
    static var features: ProviderFeatures { [.write, .delete, .move, .changes, .resume] }

    private var service: Service

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        // Each account has its own folder; only this folder is writable.
        service = try Service(folder: domain.documentStorage + "/@NAME@")
    }

    // MARK: Items

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        guard identifier != .rootContainer else {
            return FileProviderItem(folder: identifier, parent: identifier, filename: "@DISPLAY@")
        }
        return item(identifier, try service.tree.entry(identifier.rawValue))
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        // The next page begins after the last item of this one, whatever is added or removed in between.
        let page = try service.tree.children(of: parent.rawValue, after: page, limit: 200)
        return ItemPage(
            items: page.entries.map { item(ItemIdentifier($0.identifier), $0) },
            nextPage: page.hasMore ? page.entries.last?.identifier : nil)
    }

    func changes(since anchor: String?) async throws -> ItemChanges {
        guard let anchor else { return ItemChanges(anchor: service.tree.anchor) }
        let news = try service.tree.changes(since: anchor, limit: 200)
        return ItemChanges(
            changed: news.changed.map { item(ItemIdentifier($0.identifier), $0) },
            deleted: news.deleted.map { ItemIdentifier($0) }, anchor: news.anchor, hasMore: news.hasMore)
    }

    // MARK: Content

    func fetchContents(
        of identifier: ItemIdentifier, resumingAt start: ResumePoint?, into destination: ContentWriter,
        progress: TransferProgress
    ) async throws -> FileProviderItem {
        // Read once, before the first await: other calls may change the tree while this one waits.
        let entry = try service.tree.document(identifier.rawValue)
        let content = try service.content(of: entry)
        // Bytes of the same version that are present already are not sent again.
        var done = 0
        if let start, start.version.content == entry.version, start.offset <= content.count { done = start.offset }
        try destination.begin(at: done)
        while done < content.count {
            let end = min(done + 65_536, content.count)
            try destination.write(content[done..<end])
            done = end
            // Throws when the content is no longer wanted.
            try await progress.report(completed: done, total: content.count)
        }
        return item(identifier, entry)
    }

    // MARK: Changes

    func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        let content = template.isFolder ? nil : try contents?.readAll(limit: Service.maximumSize) ?? Data()
        let entry = try service.change(operation, content: content) { tree, stored in
            try tree.create(template.filename, in: template.parent.rawValue, stored, version(operation))
        }
        return item(ItemIdentifier(entry.identifier), entry)
    }

    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem {
        let content = try contents.readAll(limit: Service.maximumSize)
        let entry = try service.change(operation, content: content) { tree, stored in
            try tree.modify(identifier.rawValue, base: baseVersion?.content, stored, version(operation))
        }
        return ModifiedItem(item: item(identifier, entry))
    }

    func moveItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, to parent: ItemIdentifier, named name: String,
        operation: ChangeOperation
    ) async throws -> FileProviderItem {
        let entry = try service.change(operation) { tree, _ in
            try tree.move(identifier.rawValue, base: baseVersion?.content, to: parent.rawValue, named: name)
        }
        return item(identifier, entry)
    }

    func deleteItem(_ identifier: ItemIdentifier, baseVersion: ItemVersion?, recursive: Bool) async throws {
        try service.delete(identifier.rawValue, base: baseVersion?.content, recursive: recursive)
    }

    // MARK: Versions

    /// The same content always has the same version, and other content another one.
    private nonisolated func version(_ operation: ChangeOperation) -> String {
        operation.digest ?? operation.identifier
    }

    private nonisolated func item(_ identifier: ItemIdentifier, _ entry: Entry) -> FileProviderItem {
        let parent = ItemIdentifier(entry.parent)
        var item =
            if let content = entry.content {
                FileProviderItem(
                    identifier: identifier, parent: parent, filename: entry.name, size: content.size,
                    version: entry.version.map { ItemVersion(content: $0) })
            } else {
                FileProviderItem(folder: identifier, parent: parent, filename: entry.name)
            }
        item.modificationDate = Date(timeIntervalSince1970: entry.modified)
        return item
    }
}
