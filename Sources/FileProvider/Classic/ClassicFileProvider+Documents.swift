import FoundationEssentials
import Synchronization
import UniformTypes

extension ClassicFileProvider {
    /// A document, identified by its place in the storage.
    struct Document: Sendable {
        let identifier: ItemIdentifier
        let path: [LocalName]
        let name: LocalName
        let url: URL

        init?(_ path: [LocalName], identifier: ItemIdentifier?, _ storage: URL) {
            guard let identifier, let name = path.last else { return nil }
            self.identifier = identifier
            self.path = path
            self.name = name
            url = path.reduce(storage) { $0.appending(path: $1.text, directoryHint: .notDirectory) }
        }
    }

    func storage() throws -> LocalDirectory {
        let path = context.domain.documentStorage
        if let directory = try? LocalDirectory(path: path) { return directory }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return try LocalDirectory(path: path)
    }

    /// Whether a file of that name is never a document: a temporary file of a save, or the log.
    static func isHidden(_ name: LocalName) -> Bool {
        LocalFileReplacement.isTemporary(name) || OperationLog.isLog(name)
    }

    func document(_ identifier: ItemIdentifier) async throws -> Document {
        guard let url = await instance.urlForItem(withPersistentIdentifier: identifier.rawValue) else {
            throw FileProviderError(.noSuchItem, "The provider has no URL for the identifier \(identifier).")
        }
        guard let path = StoragePath(url, below: context.documentStorageURL),
            let document = Document(path.names, identifier: identifier, context.documentStorageURL)
        else {
            throw FileProviderError(
                .invalidArgument, "The provider's URL of \(identifier) is not below the document storage.")
        }
        guard !Self.isHidden(document.name) else {
            throw FileProviderError(.noSuchItem, "\(identifier) is not a document: it is a temporary file of a save.")
        }
        return document
    }

    func identifier(_ path: [LocalName]) async -> ItemIdentifier? {
        if path.isEmpty { return .rootContainer }
        let url = path.reduce(context.documentStorageURL) {
            $0.appending(path: $1.text, directoryHint: .notDirectory)
        }
        return await instance.persistentIdentifierForItem(at: url).map(ItemIdentifier.init(rawValue:))
    }

    func folderPath(_ identifier: ItemIdentifier) async throws -> [LocalName] {
        identifier == .rootContainer ? [] : try await document(identifier).path
    }

    func describe(_ document: Document) async throws -> FileProviderItem? {
        let directory = try storage().directory(at: document.path.dropLast())
        // A file that the author is still writing is not the document yet. A save puts its file in place as a whole.
        if let facts = try facts(document), !making.withLock({ $0.contains(document.identifier) }) {
            return try await item(document, facts)
        }
        guard let metadata = Placeholder.metadata(of: document.name, in: directory) else { return nil }
        var item = FileProviderItem(
            identifier: document.identifier, parent: try await parent(document), filename: metadata.name,
            size: metadata.size, version: metadata.version.map(ItemVersion.init(content:)))
        item.contentType = metadata.contentType.flatMap { UniformType($0) }
        item.modificationDate = metadata.modificationDate
        item.creationDate = metadata.creationDate
        item.thumbnail = metadata.thumbnail
        item.isDownloaded = false
        return item
    }

    /// The facts of a document's file or folder; nil if there is none.
    func facts(_ document: Document) throws -> LocalFileFacts? {
        let directory = try storage().directory(at: document.path.dropLast())
        do {
            let facts = try directory.facts(of: document.name)
            let isDocument = facts.kind != .other && Placeholder.metadata(at: document.name, in: directory) == nil
            return isDocument ? facts : nil
        } catch let error as FileProviderError {
            guard error.code == .noSuchItem else { throw error }
            return nil
        }
    }

    func item(_ document: Document, _ facts: LocalFileFacts) async throws -> FileProviderItem {
        let parent = try await parent(document)
        var item: FileProviderItem
        if facts.kind == .folder {
            item = FileProviderItem(folder: document.identifier, parent: parent, filename: document.name.text)
        } else {
            item = FileProviderItem(
                identifier: document.identifier, parent: parent, filename: document.name.text,
                size: facts.size, version: facts.version)
            item.isDownloaded = true
        }
        item.modificationDate = facts.modificationDate
        item.creationDate = facts.creationDate
        return item
    }

    func parent(_ document: Document) async throws -> ItemIdentifier {
        guard let parent = await identifier(document.path.dropLast()) else {
            throw FileProviderError(.failed, "The provider has no identifier for a folder.")
        }
        return parent
    }
}
