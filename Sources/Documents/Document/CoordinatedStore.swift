import DocentInterfaces
import FoundationEssentials

/// The real store: coordinated accesses through the daemon, each with its own coordinator.
struct CoordinatedStore: DocumentStore {
    let client: DocumentsClient

    /// For tests: the store that new documents use instead.
    @TaskLocal static var substitute: (any DocumentStore)?

    /// The store for new documents.
    static func current(_ client: DocumentsClient) -> any DocumentStore {
        substitute ?? CoordinatedStore(client: client)
    }

    @concurrent func read(
        _ document: SecurityScopedDocument, opening: Bool, for presenter: any FilePresenter,
        cancellation: AccessCancellation, progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> StoredDocument {
        // Fetched before the access, so that no one waits for the network while this document holds its turn.
        let known = try await document.item()
        if !known.isDownloaded, !known.isFolder {
            do throws(DocumentsError) { try await document.download(progress: progress) } catch {
                guard error.code == .notSupported else { throw error }
            }
        }
        // The document's own access, independent of its caller's.
        if opening { document.beginAccessing() }
        let coordinator = FileCoordinator(client: client, filePresenter: presenter)
        cancellation.attach { coordinator.cancel() }
        return try await coordinator.coordinate(
            readingItemAt: document.reference, options: opening ? [] : .withoutChanges
        ) { access in
            if opening { try await client.addFilePresenter(presenter) }
            return StoredDocument(item: access.item, contents: try await DocumentFiles.read(access))
        }
    }

    @concurrent func overwrite(
        _ document: SecurityScopedDocument, with writing: DocumentWriting, for presenter: any FilePresenter
    ) async throws -> DocumentItem {
        let coordinator = FileCoordinator(client: client, filePresenter: presenter)
        coordinator.deadline = writing.deadline
        writing.cancellation.attach { coordinator.cancel() }
        // Not forReplacing, which would notify other presenters that the document is being deleted.
        return try await coordinator.coordinate(writingItemAt: document.reference) { access in
            guard let item = access.item else {
                throw DocumentsError(
                    .notFound, "The document no longer exists.", suggestion: "Save it in another place.")
            }
            try writing.check(against: item)
            do { return try await DocumentFiles.write(writing.contents, writing.attributes, access) } catch let error
                as DocumentsError
            {
                // An uncoordinated writer changed it between the check and the commit.
                guard error.code == .conflict, let stored = try? await document.item(),
                    StoredDocument.differs(stored, from: item)
                else { throw error }
                throw StoredDocument.Diverged(item: stored)
            }
        }
    }

    @concurrent func announceResolved(_ versions: [String], of document: SecurityScopedDocument) async throws {
        // Also those that were there before this document was opened, which no message has named.
        let unresolved = try? await FileVersion.unresolvedConflictVersions(of: document)
        var left = Set(versions).union(unresolved?.map(\.persistentIdentifier) ?? []).sorted()[...]
        while !left.isEmpty {
            _ = try await client.call(
                DocumentsInterface.ResolveConflict.self,
                .init(reference: document.reference.wire, versions: Array(left.prefix(100))))
            left = left.dropFirst(100)
        }
    }

    @concurrent func create(
        at target: Document.SaveTarget, with writing: DocumentWriting, for presenter: any FilePresenter
    ) async throws -> (document: SecurityScopedDocument, item: DocumentItem) {
        let data: Data
        switch writing.contents {
        case .data(let contents): data = contents
        case .fileWrapper(let wrapper): return try await create(wrapper, writing.attributes, at: target)
        }
        switch target {
        case .folder(let folder, let name):
            let file = try await DocumentFiles.offThread { try TemporaryContent(holding: data) }
            defer { withExtendedLifetime(file) {} }
            let document = try await DocumentPicker(client: client).moveDocument(
                at: file.path, to: folder, name: name, attributes: writing.attributes)
            return (document, try await document.item())
        case .place(let place):
            let session = try await WriteSession.create(
                try Self.name(of: place), in: place.reference, client: client)
            let descriptor = session.descriptor
            do {
                try await DocumentFiles.offThread { try DocumentFiles.write(data, to: descriptor) }
                try await session.setAttributes(writing.attributes)
            } catch {
                try? await session.abandon()
                throw error
            }
            let item = try await session.commit()
            return (SecurityScopedDocument(reference: item.reference, access: .readWrite, client: client), item)
        }
    }

    private static func name(of place: DocumentPlace) throws(DocumentsError) -> String {
        guard let name = place.name else {
            throw DocumentsError(
                .invalidArgument, "A document cannot be created where another one is.",
                suggestion: "Give a folder that you have a right to, and a name in it.")
        }
        return name
    }

    private func create(
        _ wrapper: FileWrapper, _ attributes: DocumentAttributes, at target: Document.SaveTarget
    ) async throws -> (document: SecurityScopedDocument, item: DocumentItem) {
        let picker = DocumentPicker(client: client)
        switch target {
        case .folder(let folder, let name):
            let made = try await picker.createPackage(wrapper, in: folder, name: name, attributes: attributes)
            let place = DocumentLocation(
                provider: folder.provider, domain: folder.domain,
                path: folder.path.hasSuffix("/") ? folder.path + name : folder.path + "/" + name)
            let document = try await picker.openDocument(at: place)
            return (document, try await client.document(made.reference).item())
        case .place(let place):
            let name = try Self.name(of: place)
            let session = try await PackageWriteSession.create(name, in: place.reference, client: client)
            let item = try await DocumentPicker.publish(wrapper, attributes, session)
            return (SecurityScopedDocument(reference: item.reference, access: .readWrite, client: client), item)
        }
    }

    @concurrent func keepSafe(
        _ contents: DocumentContents, of document: SecurityScopedDocument
    ) async throws -> (any KeptContents)? {
        guard case .data(let data) = contents else { return nil }
        let session = try await WriteSession.begin(document.reference, replacing: true, client: client)
        let descriptor = session.descriptor
        try await DocumentFiles.offThread { try DocumentFiles.write(data, to: descriptor) }
        return UncommittedContents(session: session)
    }

    @concurrent func item(_ document: SecurityScopedDocument) async throws -> DocumentItem {
        try await document.item()
    }

    @concurrent func register(_ presenter: any FilePresenter) async throws {
        try await client.addFilePresenter(presenter)
    }

    @concurrent func unregister(_ presenter: any FilePresenter) async { await client.removeFilePresenter(presenter) }

    func stopAccessing(_ document: SecurityScopedDocument) { document.stopAccessing() }
}
