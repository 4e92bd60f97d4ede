import FoundationEssentials
import UniformTypes

/// Makes a provider with items of a ``FileProviderExtension`` with files: lists the document storage, asks for what is
/// missing, and writes into the storage. The host tells of changes (``itemChanged(_:)``), and when nobody uses an item.
final class ClassicFileProvider: ReplicatedFileProvider {
    static var features: ProviderFeatures { [.inPlace, .write, .classic] }

    private let type: FileProviderExtension.Type
    let context: FileProviderExtensionContext
    /// Making an item's file available, and letting go of it: never at the same time (D10).
    let starts = ItemOrder()
    /// Telling an item's changes, one after the other.
    let changes = ItemOrder()
    @ExtensionActor private var made: FileProviderExtension?

    init(
        _ type: FileProviderExtension.Type, identifier: String, domain: FileProviderDomain, host: FileProviderHost
    ) {
        self.type = type
        context = FileProviderExtensionContext(providerIdentifier: identifier, domain: domain, host: host)
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
                .noSuchItem, "There is neither a file nor a placeholder of “\(document.name.displayed)”.")
        }
        return item
    }

    func child(named name: String, in parent: ItemIdentifier) async throws -> FileProviderItem {
        let path = try await folderPath(parent)
        guard let name = LocalName(name) else {
            throw FileProviderError(.noSuchItem, "There is no “\(name)” in the folder.")
        }
        let full = path + [name]
        let nothing = FileProviderError(.noSuchItem, "There is no “\(name.displayed)” in the folder.")
        guard !LocalFileReplacement.isTemporary(name),
            let document = await Document(full, identifier: identifier(full), context.documentStorageURL)
        else { throw nothing }
        if let item = try await describe(document) { return item }
        // There may be one that has no placeholder yet (E4).
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
            guard !LocalFileReplacement.isTemporary(entry.name), entry.name.isText else { continue }
            let directory = try storage().directory(at: path)
            var name = entry.name
            if let metadata = Placeholder.metadata(at: entry.name, in: directory) {
                // The document itself, once it is there, stands in the list for both.
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

    func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation, progress: TransferProgress
    ) async throws -> FileProviderItem {
        let parent = try await folderPath(template.parent)
        guard let name = LocalName(template.filename) else {
            throw FileProviderError(.invalidArgument, "“\(template.filename)” cannot be the name of a file.")
        }
        let directory = try storage().directory(at: parent)
        try Placeholder.makeWay(for: name, in: directory)
        guard Placeholder.metadata(of: name, in: directory) == nil else {
            throw FileProviderError(.filenameCollision, "“\(name.displayed)” exists, though not on this machine.")
        }
        if let contents {
            _ = try LocalFileReplacement(
                new: name, in: directory, contents: contents, operation: operation.identifier, progress: progress
            ).create()
        } else {
            try directory.makeDirectory(name)
        }
        let path = parent + [name]
        guard let document = await Document(path, identifier: identifier(path), context.documentStorageURL) else {
            throw FileProviderError(.failed, "The provider has no identifier for “\(name.displayed)” (D5).")
        }
        return try await item(document, directory.facts(of: name))
    }

    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem {
        let document = try await document(identifier)
        if try await describe(document) == nil { try await instance.providePlaceholder(at: document.url) }
        // A start that is under way must not put the old content over the new one.
        let outcome = try await starts.run(identifier) {
            try store(contents, in: document, base: baseVersion, operation)
        }
        var kept: ItemIdentifier?
        if let conflict = outcome.conflict {
            kept = await self.identifier(document.path.dropLast() + [conflict])
        }
        return ModifiedItem(item: try await item(document, outcome.facts), conflict: kept)
    }

    /// Replaces a file, or makes the one that a placeholder stands for without fetching what it had (2.10).
    private func store(
        _ contents: ContentReader, in document: Document, base: ItemVersion?, _ operation: ChangeOperation
    ) throws -> (facts: LocalFileFacts, conflict: LocalName?) {
        let directory = try storage().directory(at: document.path.dropLast())
        guard try facts(document) == nil else {
            let staged = try LocalFileReplacement(
                of: document.name, in: directory, contents: contents, operation: operation.identifier)
            let outcome = try staged.replace(base: base)
            return (outcome.facts, outcome.conflict)
        }
        guard let placeholder = Placeholder.metadata(of: document.name, in: directory) else {
            throw FileProviderError(.noSuchItem, "There is no “\(document.name.displayed)” any more.")
        }
        guard base == nil || placeholder.version == nil || base?.content == placeholder.version else {
            throw FileProviderError(.versionOutOfDate, "“\(document.name.displayed)” was changed meanwhile.")
        }
        let facts = try LocalFileReplacement(
            new: document.name, in: directory, contents: contents, operation: operation.identifier
        ).create()
        Placeholder.remove(of: document.name, in: directory)
        return (facts, nil)
    }

    /// The identifier of a file URL below the storage (D5).
    func persistentIdentifier(url text: String) async throws -> String {
        guard let url = URL(string: text), let path = StoragePath(url, below: context.documentStorageURL) else {
            throw FileProviderError(.invalidArgument, "\(text) is not a file URL below the document storage (C5).")
        }
        guard let identifier = await identifier(path.names) else {
            throw FileProviderError(.noSuchItem, "The provider has no identifier for \(text).")
        }
        return identifier.rawValue
    }

    /// The file URL of an identifier (D6).
    func url(identifier: String) async throws -> String {
        try await document(ItemIdentifier(identifier)).url.absoluteString
    }
}
