import Documents
import Foundation

// The Swift of the catalogue and the comments of Documents.

// snippet: note
final class Note: Document {
    var text = ""

    override func load(fromContents contents: DocumentContents, ofType type: String) throws {
        text = String(decoding: contents.data ?? Data(), as: UTF8.self)
    }

    override func contents(forType type: String) throws -> DocumentContents { .data(Data(text.utf8)) }

    func type(_ more: String) {
        text += more
        updateChangeCount(.done)
    }
}
// end

// snippet: album
final class Album: Document {
    var folder = FileWrapper(directoryWithFileWrappers: [:])

    override func load(fromContents contents: DocumentContents, ofType type: String) throws {
        guard let folder = contents.fileWrapper else { throw AlbumError.isNoPackage }
        self.folder = folder
    }

    override func contents(forType type: String) throws -> DocumentContents { .fileWrapper(folder) }

    func add(_ picture: Data, named name: String) {
        folder.addRegularFile(withContents: picture, preferredFilename: name)
        updateChangeCount(.done)
    }
}
// end

enum AlbumError: Error { case isNoPackage }

@MainActor
enum DocumentationSnippets {
    static func pick(keep: (String) -> Void) async throws {
        // snippet: picking
        let client = DocumentsClient(.init(clientIdentifier: "org.example.Viewer"))
        let picker = DocumentPicker(client: client, validTypes: ["public.text"])

        let document = try await picker.openDocument(at: DocumentLocation("LocalFolder:/notes.txt"))
        let descriptor = try await document.openForReading()
        // end
        _ = descriptor
        // snippet: parts
        let reading = try await document.openForReading(partial: true)
        let tail = try await reading.read(max(0, reading.size - 65_536)..<reading.size)
        // end
        _ = tail
        // snippet: bookmark
        let bookmark = try await document.bookmark()

        let found = try await client.resolve(bookmark: bookmark)
        if found.isStale { try await keep(found.document.bookmark()) }
        // end
    }

    static func openNote() async throws {
        // snippet: opening
        let client = DocumentsClient(.init(clientIdentifier: "org.example.Notes"))
        let picked = try await DocumentPicker(client: client).openDocument(
            at: DocumentLocation("LocalFolder:/notes.txt"))
        let note = Note(document: picked)
        try await note.open()
        note.type("One more line.\n")
        try await note.close()
        // end
    }

    static func makeNote(_ client: DocumentsClient) async throws {
        // snippet: making
        let folder = try await DocumentPicker(client: client, validTypes: ["public.folder"]).openDocument(
            at: DocumentLocation("LocalFolder:/Notes"))
        let note = Note(client: client, place: DocumentPlace(name: "Today.txt", in: folder.reference))
        note.type("The first line.\n")
        try await note.save(for: .creating)  // It is open from here on, and follows moves.
        // end
    }

    static func appendLine(
        _ client: DocumentsClient, _ picked: SecurityScopedDocument,
        put: @Sendable (String, CInt) throws -> Void
    ) async throws {
        func append(_ text: String, to descriptor: CInt) throws { try put(text, descriptor) }
        // snippet: coordinator
        let coordinator = FileCoordinator(client: client)
        try await coordinator.coordinate(writingItemAt: picked.reference, options: .forMerging) { access in
            let session = try await access.session()  // A private copy of the content.
            try append("One more line.\n", to: session.descriptor)
        }  // Published here; dropped if the accessor throws.
        // end
    }

    static func addPicture(_ picture: Data, _ album: DocumentReference, _ coordinator: FileCoordinator) async throws {
        // snippet: package
        let folder = try await coordinator.coordinate(readingItemAt: album) { access in
            try await FileWrapper.read(from: access.package)
        }
        folder.addRegularFile(withContents: picture, preferredFilename: "beach.jpeg")
        try await coordinator.coordinate(writingItemAt: album) { access in
            try await folder.write(to: access.package())  // Committed when the accessor returns.
        }
        // end
    }

    static func present(_ editor: some FilePresenter, _ client: DocumentsClient) async throws {
        // snippet: presenting
        try await client.addFilePresenter(editor)
        // end
    }

    static func readCoordinated(
        _ reference: DocumentReference, _ client: DocumentsClient, read: @Sendable (CInt) throws -> String
    ) async throws -> String {
        // snippet: coordinated reading
        let coordinator = FileCoordinator(client: client)
        let text = try await coordinator.coordinate(readingItemAt: reference) { access in
            try read(access.descriptor)
        }
        // end
        return text
    }

    static func list(_ document: SecurityScopedDocument) async throws {
        // snippet: versions
        for version in try await FileVersion.otherVersions(of: document) {
            print(version.modificationDate ?? 0, version.savingClient ?? "somebody else")
        }
        // end
    }

    static func find(_ client: DocumentsClient) async {
        // snippet: finding invoices
        let query = MetadataQuery(
            client: client, predicate: .words("invoice") && .type("com.adobe.pdf"),
            sortDescriptors: [MetadataSortDescriptor(.modificationDate, ascending: false)])
        query.start()
        for await update in query.updates {
            print(update, query.results.map(\.item.name), query.gaps)
        }
        // end
    }

    static func count(_ client: DocumentsClient) async {
        // snippet: counting invoices
        let query = MetadataQuery(client: client, predicate: .words("invoice") && .type("public.pdf"))
        query.start()
        for await update in query.updates { print(update, query.count) }
        // end
    }

    static func transit(_ client: DocumentsClient, _ folder: DocumentReference) async {
        // snippet: what is in transit
        let monitor = TransferMonitor(client: client, reference: folder)
        monitor.start()
        for await status in monitor.updates { print(status.running, status.waiting, status.fraction ?? 0) }
        // end
    }

    static func predicate() -> MetadataPredicate {
        // snippet: predicate
        let predicate = MetadataPredicate.words("invoice 2024") && .type("public.pdf") && !.state(.downloaded)
        // end
        return predicate
    }
}
