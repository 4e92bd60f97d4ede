import FileProvider

// The Swift of "Implementing a provider", first part.

// snippet: listing
struct NotesProvider: ReplicatedFileProvider {
    let service: NotesService
    let host: FileProviderHost

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        guard let address = domain.settings["url"] else {
            throw FileProviderError(.invalidArgument, "The setting \"url\" with the address of the service is missing.")
        }
        service = NotesService(address: address)
        self.host = host
    }

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        if identifier == .rootContainer {
            return FileProviderItem(folder: identifier, parent: identifier, filename: "Notes")
        }
        guard let note = try await service.note(identifier.rawValue) else {
            throw FileProviderError(.noSuchItem, "There is no note \(identifier).")
        }
        return describe(note)
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        let answer = try await service.list(after: page)
        return ItemPage(items: answer.notes.map(describe), nextPage: answer.next)
    }

    private func describe(_ note: NotesService.Note) -> FileProviderItem {
        FileProviderItem(
            identifier: ItemIdentifier(note.key), parent: .rootContainer, filename: note.title + ".txt",
            size: note.size, version: ItemVersion(content: note.revision))
    }
    // end

    // snippet: fetching
    func fetchContents(
        of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws -> FileProviderItem {
        let download = try await service.download(identifier.rawValue)
        for try await part in download.parts {
            try destination.write(part)
            try await progress.report(completed: destination.bytesWritten, total: download.note.size)
        }
        return describe(download.note)  // The version that was written, not the one that is newest by now.
    }
    // end

    // snippet: parts
    func fetchPartialContents(
        of identifier: ItemIdentifier, version: ItemVersion, range: Range<Int>, into destination: PartialContentWriter,
        progress: TransferProgress
    ) async throws -> PartialContent {
        let download = try await service.download(identifier.rawValue, bytes: range)
        guard download.note.revision == version.content else {
            throw FileProviderError(.versionOutOfDate, "The note was changed by somebody else.")
        }
        for try await part in download.parts { try await destination.write(part) }
        return PartialContent(version: version, totalBytes: download.note.size)
    }
    // end

    // snippet: pictures
    func thumbnail(
        of identifier: ItemIdentifier, version: ItemVersion?, size: Int
    ) async throws -> ItemThumbnail {
        guard let preview = try await service.preview(identifier.rawValue, pixels: size) else {
            throw FileProviderError(.notSupported, "There is no preview of this note.")
        }
        return ItemThumbnail(data: preview.data, version: ItemVersion(content: preview.revision))
    }
    // end

    // snippet: writing
    static var features: ProviderFeatures { [.write, .delete, .changes] }

    func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        guard let contents else {
            throw FileProviderError(.notSupported, "The service has no folders.")
        }
        let answer = try await service.create(
            title: template.filename, text: contents.readAll(), request: operation.identifier)
        guard case .stored(let note) = answer else {
            throw FileProviderError(.filenameCollision, "There is a note \"\(template.filename)\" already.")
        }
        return describe(note)
    }

    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem {
        let answer = try await service.replace(
            identifier.rawValue, ifRevision: baseVersion?.content, with: contents.readAll(),
            request: operation.identifier)
        guard case .stored(let note) = answer else {
            throw FileProviderError(.versionOutOfDate, "The note was changed by somebody else.")
        }
        return ModifiedItem(item: describe(note))
    }

    func deleteItem(_ identifier: ItemIdentifier, baseVersion: ItemVersion?, recursive: Bool) async throws {
        guard try await service.remove(identifier.rawValue, ifRevision: baseVersion?.content) else {
            throw FileProviderError(.versionOutOfDate, "The note was changed by somebody else.")
        }
    }
    // end

    // snippet: changes
    func changes(since anchor: String?) async throws -> ItemChanges {
        guard let anchor else {
            return ItemChanges(changed: [], deleted: [], anchor: try await service.present(), hasMore: false)
        }
        guard let answer = try await service.events(since: anchor) else {
            throw FileProviderError(.syncAnchorExpired, "The service keeps events for a week.")
        }
        return ItemChanges(
            changed: answer.notes.map(describe), deleted: answer.removed.map { ItemIdentifier($0) },
            anchor: answer.next, hasMore: answer.isCut)
    }
    // end
}

/// The service of the snippets.
struct NotesService {
    struct Note {
        var key, title, revision: String
        var size: Int
    }

    struct Download {
        var note: Note
        var parts: AsyncStream<[UInt8]>
    }

    enum Answer {
        case stored(Note)
        case refused
    }

    var address: String

    func note(_ key: String) async throws -> Note? { nil }
    func list(after page: String?) async throws -> (notes: [Note], next: String?) { ([], nil) }
    func download(_ key: String) async throws -> Download {
        Download(note: Note(key: key, title: key, revision: "1", size: 0), parts: AsyncStream { $0.finish() })
    }
    func download(_ key: String, bytes: Range<Int>) async throws -> Download { try await download(key) }
    func preview(_ key: String, pixels: Int) async throws -> (data: [UInt8], revision: String)? { nil }
    func create(title: String, text: some Sequence<UInt8>, request: String) async throws -> Answer { .refused }
    func replace(
        _ key: String, ifRevision revision: String?, with text: some Sequence<UInt8>, request: String
    ) async throws -> Answer { .refused }
    func remove(_ key: String, ifRevision revision: String?) async throws -> Bool { false }
    func present() async throws -> String { "" }
    func events(since anchor: String) async throws -> (notes: [Note], removed: [String], next: String, isCut: Bool)? {
        nil
    }
}
