import FoundationEssentials
import Synchronization
import UniformTypes

/// Adapts a ``FileProviderExtension``, which works with files, to a provider with items: lists the document storage,
/// requests missing files, and writes into the storage. The host reports changes (``itemChanged(_:)``) and items that
/// are no longer in use.
final class ClassicFileProvider: ReplicatedFileProvider {
    static var features: ProviderFeatures { [.inPlace, .write, .classic] }

    private let type: FileProviderExtension.Type
    let context: FileProviderExtensionContext
    /// Orders the starts and stops of an item: they never overlap.
    let starts = ItemOrder<ItemIdentifier>()
    /// Orders the reports of an item's changes.
    let changes = ItemOrder<ItemIdentifier>()
    /// Items whose files the author is writing right now.
    let making = Mutex<Set<ItemIdentifier>>([])
    /// The results of operations, for when they are repeated.
    let operations: OperationLog
    @ExtensionActor private var made: FileProviderExtension?

    init(
        _ type: FileProviderExtension.Type, identifier: String, domain: FileProviderDomain, host: FileProviderHost
    ) {
        self.type = type
        context = FileProviderExtensionContext(providerIdentifier: identifier, domain: domain, host: host)
        operations = OperationLog(storage: domain.documentStorage)
    }

    convenience init(domain: FileProviderDomain, host: FileProviderHost) throws {
        self.init(FileProviderExtension.self, identifier: "", domain: domain, host: host)
    }

    /// The author's instance.
    @ExtensionActor var instance: FileProviderExtension {
        if let made { return made }
        let instance = type.init(context: context)
        made = instance
        return instance
    }

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        if identifier == .rootContainer {
            return FileProviderItem(folder: identifier, parent: identifier, filename: context.domain.displayName)
        }
        let document = try await document(identifier)
        if let item = try await describe(document) { return item }
        try await instance.providePlaceholder(at: document.url)
        guard let item = try await describe(document) else {
            throw FileProviderError(
                .noSuchItem, "There is neither a file nor a placeholder of \"\(document.name.displayed)\".")
        }
        return item
    }

    func child(named name: String, in parent: ItemIdentifier) async throws -> FileProviderItem {
        let path = try await folderPath(parent)
        guard let name = LocalName(name) else {
            throw FileProviderError(.noSuchItem, "There is no \"\(name)\" in the folder.")
        }
        let full = path + [name]
        let nothing = FileProviderError(.noSuchItem, "There is no \"\(name.displayed)\" in the folder.")
        guard !Self.isHidden(name),
            let document = await Document(full, identifier: identifier(full), context.documentStorageURL)
        else { throw nothing }
        if let item = try await describe(document) { return item }
        // The document may exist without a placeholder so far.
        do {
            try await instance.providePlaceholder(at: document.url)
        } catch let error as FileProviderError {
            throw error.code == .notSupported ? nothing : error
        }
        guard let item = try await describe(document) else { throw nothing }
        return item
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        let path = try await folderPath(parent)
        let list = try LocalListing(try storage().directory(at: path))
        let start = page.flatMap { Int($0) } ?? 0
        let end = min(list.count, max(0, start) + 500)
        var items: [FileProviderItem] = []
        for entry in list[max(0, start)..<max(end, max(0, start))] {
            // A name that is not UTF-8 has no URL.
            guard !Self.isHidden(entry.name), entry.name.isText else { continue }
            let directory = try storage().directory(at: path)
            var name = entry.name
            if let metadata = Placeholder.metadata(at: entry.name, in: directory) {
                // Once the document itself exists, it represents both in the list.
                guard let document = LocalName(metadata.name), (try? directory.facts(of: document)) == nil else {
                    continue
                }
                name = document
            }
            let full = path + [name]
            if let document = await Document(full, identifier: identifier(full), context.documentStorageURL),
                let item = try await describe(document)
            {
                items.append(item)
            }
        }
        return ItemPage(items: items, nextPage: end < list.count ? String(end) : nil)
    }

    func fetchContents(
        of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws -> FileProviderItem {
        let content = try await openInPlace(identifier)
        try destination.copy(from: content.file.descriptor, count: content.item.size ?? 0)
        return content.item
    }

    func openInPlace(_ identifier: ItemIdentifier) async throws -> InPlaceContent {
        let document = try await document(identifier)
        let descriptor = try await starts.run(identifier) {
            try await start(document, TransferProgress())
            return try storage().directory(at: document.path.dropLast()).openFile(document.name).release()
        }
        let file = OpenFile(owning: descriptor)
        let item = try await item(document, LocalFileFacts(descriptor: file.descriptor))
        return InPlaceContent(item: item, file: file)
    }

    /// The identifier of a file URL below the storage.
    func persistentIdentifier(url text: String) async throws -> String {
        guard let url = URL(string: text), let path = StoragePath(url, below: context.documentStorageURL) else {
            throw FileProviderError(.invalidArgument, "\(text) is not a file URL below the document storage.")
        }
        guard let identifier = await identifier(path.names) else {
            throw FileProviderError(.noSuchItem, "The provider has no identifier for \(text).")
        }
        return identifier.rawValue
    }

    /// The file URL of an identifier.
    func url(identifier: String) async throws -> String {
        try await document(ItemIdentifier(identifier)).url.absoluteString
    }
}
