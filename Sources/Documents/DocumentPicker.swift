import DocentInterfaces
import Glibc
import Varlink

/// Choosing documents in one of the four modes (C1–C4).
///
/// Naming a location is the user's own choice; a confined program cannot do it (I1), gets `notPermitted`, and asks
/// instead: ``requestDocument(types:access:companions:reason:)`` and its like.
public struct DocumentPicker: Sendable {
    /// The session that gets what is chosen.
    public let client: DocumentsClient
    /// Uniform types that the client can use, for import and open; nil means any document. Folders are opened only if one of
    /// `public.folder`, `public.directory` and `public.item` is among them.
    public var validTypes: [String]?
    /// For tests: called after each step of removing a move's source, with its letter.
    package var moveCrashPoint: (@Sendable (String) -> Void)?

    /// A picker for a client.
    public init(client: DocumentsClient, validTypes: [String]? = nil) {
        self.client = client
        self.validTypes = validTypes
    }

    /// The item at a location. Records nothing.
    ///
    /// - Parameters:
    ///   - location: where it is, as in `LocalFolder:/notes.txt`.
    ///   - followingLink: whether it is what a symbolic link at the location leads to, not the link itself.
    public func item(
        at location: DocumentLocation, followingLink: Bool = true
    ) async throws(DocumentsError) -> DocumentItem {
        DocumentItem(
            try await client.call(
                PickerInterface.GetItem.self, .init(location: location.wire, link: followingLink ? nil : true)
            ).value.item)
    }

    /// The items of a folder, page by page as they are asked for.
    public func items(in folder: DocumentLocation) -> DocumentItems { DocumentItems(client: client, folder: folder) }

    /// Import mode (C1): a private copy for this client; the original stays as it is. Records no grant.
    ///
    /// - Returns: the copy. It goes with the session unless it is moved away (C9).
    public func importDocument(at location: DocumentLocation) async throws(DocumentsError) -> ImportedDocument {
        let reply = try await client.call(
            PickerInterface.PickImport.self,
            .init(location: location.wire, types: validTypes, operation: OperationIdentifier.make()))
        return try ImportedDocument(
            item: DocumentItem(reply.value.item), path: reply.value.path, descriptors: reply.descriptors,
            index: reply.value.file)
    }

    /// Open mode (C2): grants the document to this client, for editing in place, or the folder, for presenting it and naming
    /// places in it (``validTypes``).
    ///
    /// - Parameters:
    ///   - location: where it is, as in `LocalFolder:/notes.txt`.
    ///   - access: what the right is to allow.
    ///   - persistence: how long the right lasts.
    ///   - expiresAfter: how long the right lasts at most; nil is without an end.
    ///   - companions: patterns of names beside the document that are granted with it, like `{stem}.srt`, where
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
        return SecurityScopedDocument(
            reference: DocumentReference(reply.value.item.reference),
            access: AccessMode(rawValue: reply.value.access) ?? .read, client: client)
    }

    static func list(_ descriptor: CInt) throws(DocumentsError) -> DescriptorList {
        // A fresh description where that is possible: ours keeps its offset (F2).
        var copy = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if copy < 0 { copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
        guard copy >= 0 else {
            throw DocumentsError(.invalidArgument, "The source cannot be read: \(String(cString: strerror(errno))).")
        }
        return DescriptorList(OwnedDescriptor(copy))
    }
}
