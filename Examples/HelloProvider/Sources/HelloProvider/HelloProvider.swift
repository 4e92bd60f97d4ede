import FileProvider

/// A provider whose documents are in memory. To Docent it looks like a network service.
actor HelloProvider: ReplicatedFileProvider {
    static var features: ProviderFeatures { [.write, .delete, .move] }

    private var tree = HelloTree()
    private let host: FileProviderHost

    init(domain: FileProviderDomain, host: FileProviderHost) { self.host = host }

    // MARK: Looking

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem { try tree.item(identifier) }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        ItemPage(items: try tree.children(of: parent))
    }

    func fetchContents(
        of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws -> FileProviderItem {
        // Both at once: the content and the description must have the same version, whatever happens meanwhile.
        let (item, content) = (try tree.item(identifier), try tree.content(of: identifier))
        // In parts, as from a network.
        for start in stride(from: 0, to: content.count, by: 65_536) {
            try destination.write(content[start..<min(start + 65_536, content.count)])
            try await progress.report(completed: destination.bytesWritten, total: content.count)
        }
        return item
    }

    // MARK: Changing

    func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        let item = try tree.create(
            template.filename, in: template.parent, content: try contents.map { Array(try $0.readAll()) },
            operation: operation)
        host.signalChanged([item.parent])
        return item
    }

    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem {
        let item = try tree.replace(
            identifier, base: baseVersion, content: Array(try contents.readAll()), operation: operation)
        host.signalChanged([identifier])
        return ModifiedItem(item: item)
    }

    func moveItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, to parent: ItemIdentifier, named name: String,
        operation: ChangeOperation
    ) async throws -> FileProviderItem {
        let former = try tree.item(identifier).parent
        let item = try tree.move(identifier, base: baseVersion, to: parent, named: name)
        host.signalChanged([former, parent])
        return item
    }

    func deleteItem(_ identifier: ItemIdentifier, baseVersion: ItemVersion?, recursive: Bool) async throws {
        let item = try tree.item(identifier)
        host.signalDeleted(try tree.delete(identifier, base: baseVersion, recursive: recursive))
        host.signalChanged([item.parent])
    }
}
