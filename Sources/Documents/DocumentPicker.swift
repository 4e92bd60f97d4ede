import DocentInterfaces
import Glibc
import Varlink

/// Chooses documents in one of four modes: import, open, export and move.
///
/// To name a location is the user's own choice, so a confined program may not do it: it gets `notPermitted`. It asks
/// instead, with ``requestDocument(types:access:companions:reason:)`` and the related methods.
public struct DocumentPicker: Sendable {
    /// The session that receives what is chosen.
    public let client: DocumentsClient
    /// The uniform types that the client can use, for import and open; nil means any document. A folder can be opened
    /// only if `public.folder`, `public.directory` or `public.item` is among them.
    public var validTypes: [String]?
    /// For tests: called with the step's letter after each step of removing a move's source.
    package var moveCrashPoint: (@Sendable (String) -> Void)?

    /// Creates a picker for a client.
    public init(client: DocumentsClient, validTypes: [String]? = nil) {
        self.client = client
        self.validTypes = validTypes
    }

    /// The item at a location. Records nothing.
    ///
    /// - Parameters:
    ///   - location: a location such as `LocalFolder:/notes.txt`.
    ///   - followingLink: whether to return a symbolic link's target instead of the link itself.
    public func item(
        at location: DocumentLocation, followingLink: Bool = true
    ) async throws(DocumentsError) -> DocumentItem {
        try await described(at: location, followingLink: followingLink).item
    }

    /// The same as ``item(at:followingLink:)``, and why it is an earlier description; nil when the provider was asked,
    /// at most a moment ago.
    package func described(
        at location: DocumentLocation, followingLink: Bool = true
    ) async throws(DocumentsError) -> (item: DocumentItem, remembered: RememberedListing?) {
        let reply = try await client.call(
            PickerInterface.GetItem.self, .init(location: location.wire, link: followingLink ? nil : true)
        ).value
        return (DocumentItem(reply.item), reply.remembered.map(RememberedListing.init))
    }

    /// The items of a folder, fetched page by page on demand.
    public func items(in folder: DocumentLocation) -> DocumentItems { DocumentItems(client: client, folder: folder) }

    /// Import mode: makes a private copy for this client and leaves the original unchanged. Records no grant.
    ///
    /// - Returns: the copy. It is deleted with the session unless it is moved away.
    public func importDocument(at location: DocumentLocation) async throws(DocumentsError) -> ImportedDocument {
        let reply = try await client.call(
            PickerInterface.PickImport.self,
            .init(location: location.wire, types: validTypes, operation: OperationIdentifier.make()))
        return try ImportedDocument(
            item: DocumentItem(reply.value.item), path: reply.value.path, descriptors: reply.descriptors,
            index: reply.value.file)
    }

    /// Open mode: grants this client a document for editing in place, or a folder for presenting it and for naming
    /// places in it (``validTypes``).
    ///
    /// - Parameters:
    ///   - location: a location such as `LocalFolder:/notes.txt`.
    ///   - access: what the right allows.
    ///   - persistence: when the right ends.
    ///   - expiresAfter: the longest time that the right lasts; nil means no limit.
    ///   - companions: patterns for files beside the document that are granted with it, like `{stem}.srt`, where
    ///     `{stem}` is the document's name without its extension. At most 8.
    public func openDocument(
        at location: DocumentLocation, access: AccessMode = .readWrite, persistence: AccessPersistence = .taken,
        expiresAfter: Duration? = nil, companions: [String] = []
    ) async throws(DocumentsError) -> SecurityScopedDocument {
        let reply = try await client.call(
            PickerInterface.PickOpen.self,
            .init(
                location: location.wire, types: validTypes, access: access.rawValue,
                operation: OperationIdentifier.make(), persist: persistence == .taken,
                expires: expiresAfter.map { $0 / .seconds(1) }, companions: companions.isEmpty ? nil : companions))
        return document(reply.value)
    }

    /// Open mode for a document that is read once, in a single call if its content is on this machine and no other
    /// program is writing or showing it.
    ///
    /// - Returns: the granted document, which is in use until it is released, and its content, open for reading at the
    ///   start. The caller closes the descriptor. It is nil if the call would have had to wait: coordinate then
    ///   (``FileCoordinator/coordinate(readingItemAt:options:_:)``).
    /// - Throws: as ``openDocument(at:access:persistence:expiresAfter:companions:)``.
    public func openForReading(
        at location: DocumentLocation, persistence: AccessPersistence = .transient
    ) async throws(DocumentsError) -> (document: SecurityScopedDocument, content: CInt?) {
        let reply = try await client.call(
            PickerInterface.PickOpen.self,
            .init(
                location: location.wire, types: validTypes, access: AccessMode.read.rawValue,
                operation: OperationIdentifier.make(), persist: persistence == .taken, open: true))
        let document = document(reply.value)
        guard let index = reply.value.file else { return (document, nil) }
        do {
            let file = try reply.descriptors.take(index)
            document.beginAccessing()
            return (document, file.release())
        } catch {
            throw DocumentsError(Failure.from(error))
        }
    }

    private func document(_ reply: PickerInterface.PickOpen.Reply) -> SecurityScopedDocument {
        SecurityScopedDocument(
            reference: DocumentReference(reply.item.reference), access: AccessMode(rawValue: reply.access) ?? .read,
            client: client)
    }

    static func list(_ descriptor: CInt) throws(DocumentsError) -> DescriptorList {
        // Opened anew where possible, so that the caller's descriptor keeps its offset.
        var copy = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if copy < 0 { copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
        guard copy >= 0 else {
            throw DocumentsError(.invalidArgument, "The source cannot be read: \(String(cString: strerror(errno))).")
        }
        return DescriptorList(OwnedDescriptor(copy))
    }
}
