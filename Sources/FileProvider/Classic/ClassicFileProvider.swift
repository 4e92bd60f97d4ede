import FoundationEssentials
import UniformTypes

/// Makes a provider with items of a ``FileProviderExtension`` with files: lists the document storage, asks for what is
/// missing, writes into the storage and tells of it.
final class ClassicFileProvider: ReplicatedFileProvider {
    static var features: ProviderFeatures { [.inPlace, .write, .classic] }

    private let type: FileProviderExtension.Type
    private let context: FileProviderExtensionContext
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
    @ExtensionActor private var instance: FileProviderExtension {
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
        let path2 = path + [name]
        guard let document = await Document(path2, identifier: identifier(path2), context.documentStorageURL),
            let item = try await describe(document)
        else {
            throw FileProviderError(.noSuchItem, "There is no “\(name.displayed)” in the folder.")
        }
        return item
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        let path = try await folderPath(parent)
        let list = try LocalListing(try storage().directory(at: path))
        let start = page.flatMap { Int($0) } ?? 0
        let end = min(list.count, max(0, start) + 500)
        var items: [FileProviderItem] = []
        for entry in list[max(0, start)..<max(end, max(0, start))] {
            guard !LocalFileReplacement.isTemporary(entry.name) else { continue }
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
        let directory = try storage().directory(at: document.path.dropLast())
        if (try? directory.facts(of: document.name)) == nil {
            try await instance.startProvidingItem(at: document.url)
            guard (try? directory.facts(of: document.name)) != nil else {
                throw FileProviderError(
                    .failed, "startProvidingItem(at:) ended without a file “\(document.name.displayed)” (D8).")
            }
        }
        let file = try directory.openFile(document.name)
        let item = try await item(document, LocalFileFacts(descriptor: file.descriptor))
        return InPlaceContent(item: item, file: file)
    }

    func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation
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
                new: name, in: directory, contents: contents, operation: operation.identifier
            ).create()
        } else {
            try directory.makeDirectory(name)
        }
        let path = parent + [name]
        guard let document = await Document(path, identifier: identifier(path), context.documentStorageURL),
            let item = try await describe(document)
        else {
            throw FileProviderError(.failed, "The provider has no identifier for “\(name.displayed)” (D5).")
        }
        tellChanged(document.url)
        return item
    }

    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem {
        let document = try await document(identifier)
        let directory = try storage().directory(at: document.path.dropLast())
        var conflict: LocalName?
        if (try? directory.facts(of: document.name)) != nil {
            let staged = try LocalFileReplacement(
                of: document.name, in: directory, contents: contents, operation: operation.identifier)
            conflict = try staged.replace(base: baseVersion).conflict
        } else {
            let known = try await item(for: identifier).version
            guard baseVersion == nil || known == nil || baseVersion == known else {
                throw FileProviderError(.versionOutOfDate, "“\(document.name.displayed)” was changed meanwhile.")
            }
            let staged = try LocalFileReplacement(
                new: document.name, in: directory, contents: contents, operation: operation.identifier)
            _ = try staged.create()
            Placeholder.remove(of: document.name, in: directory)
        }
        guard let item = try await describe(document) else {
            throw FileProviderError(.versionOutOfDate, "“\(document.name.displayed)” was removed just now.")
        }
        tellChanged(document.url)
        var kept: ItemIdentifier?
        if let conflict { kept = await self.identifier(document.path.dropLast() + [conflict]) }
        return ModifiedItem(item: item, conflict: kept)
    }

    func stopProviding(_ identifier: ItemIdentifier) async {
        guard let document = try? await document(identifier) else { return }
        await instance.stopProvidingItem(at: document.url)
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

extension ClassicFileProvider {
    /// A document by its place in the storage.
    fileprivate struct Document: Sendable {
        let identifier: ItemIdentifier
        let path: [LocalName]
        let name: LocalName
        let url: URL

        init?(_ path: [LocalName], identifier: ItemIdentifier?, _ storage: URL) {
            guard let identifier, let name = path.last else { return nil }
            self.identifier = identifier
            self.path = path
            self.name = name
            url = path.reduce(storage) { $0.appending(path: $1.displayed, directoryHint: .notDirectory) }
        }
    }

    private func storage() throws -> LocalDirectory {
        let path = context.domain.documentStorage
        if let directory = try? LocalDirectory(path: path) { return directory }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return try LocalDirectory(path: path)
    }

    private func document(_ identifier: ItemIdentifier) async throws -> Document {
        guard let url = await instance.urlForItem(withPersistentIdentifier: identifier.rawValue) else {
            throw FileProviderError(.noSuchItem, "The provider has no URL for the identifier \(identifier).")
        }
        guard let path = StoragePath(url, below: context.documentStorageURL),
            let document = Document(path.names, identifier: identifier, context.documentStorageURL)
        else {
            throw FileProviderError(
                .invalidArgument, "The provider's URL of \(identifier) is not below the document storage (C5).")
        }
        return document
    }

    private func identifier(_ path: [LocalName]) async -> ItemIdentifier? {
        if path.isEmpty { return .rootContainer }
        let url = path.reduce(context.documentStorageURL) {
            $0.appending(path: $1.displayed, directoryHint: .notDirectory)
        }
        return await instance.persistentIdentifierForItem(at: url).map(ItemIdentifier.init(rawValue:))
    }

    private func folderPath(_ identifier: ItemIdentifier) async throws -> [LocalName] {
        identifier == .rootContainer ? [] : try await document(identifier).path
    }

    private func describe(_ document: Document) async throws -> FileProviderItem? {
        let directory = try storage().directory(at: document.path.dropLast())
        if let facts = try? directory.facts(of: document.name) {
            guard facts.kind != .other, Placeholder.metadata(at: document.name, in: directory) == nil else {
                return nil
            }
            return try await item(document, facts)
        }
        guard let metadata = Placeholder.metadata(of: document.name, in: directory) else { return nil }
        var item = FileProviderItem(
            identifier: document.identifier, parent: try await parent(document), filename: metadata.name,
            size: metadata.size, version: metadata.version.map(ItemVersion.init(content:)))
        item.contentType = metadata.contentType.flatMap { UniformType($0) }
        item.modificationDate = metadata.modificationDate
        item.creationDate = metadata.creationDate
        item.isDownloaded = false
        return item
    }

    private func item(_ document: Document, _ facts: LocalFileFacts) async throws -> FileProviderItem {
        let parent = try await parent(document)
        var item: FileProviderItem
        if facts.kind == .folder {
            item = FileProviderItem(folder: document.identifier, parent: parent, filename: document.name.displayed)
        } else {
            item = FileProviderItem(
                identifier: document.identifier, parent: parent, filename: document.name.displayed,
                size: facts.size, version: facts.version)
            item.isDownloaded = true
        }
        item.modificationDate = facts.modificationDate
        item.creationDate = facts.creationDate
        return item
    }

    private func parent(_ document: Document) async throws -> ItemIdentifier {
        guard let parent = await identifier(document.path.dropLast()) else {
            throw FileProviderError(.failed, "The provider has no identifier for a folder (D5).")
        }
        return parent
    }

    /// Never delays the writer (D14).
    private func tellChanged(_ url: URL) {
        Task { await self.instance.itemChanged(at: url) }
    }
}
