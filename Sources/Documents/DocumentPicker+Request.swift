import CLinux
import DocentInterfaces
import Glibc
import Varlink

/// Asks the user to choose. A program in a sandbox cannot name locations, but it can ask. The question goes to whoever
/// looks after the sandbox, such as the terminal that `docent run` was started in; the call returns when the user has
/// answered. Cancelling the task withdraws the question.
///
/// All methods throw ``DocumentsError``: `notPermitted` when the user refused or there is no one to ask,
/// `deadlineExceeded` when no answer came, `unavailable` when too many questions of this program are already waiting.
extension DocumentPicker {
    /// Asks for a document to edit in place (open mode). The right ends with this client, unless the user grants it
    /// permanently or the client takes it, for example by making a bookmark.
    ///
    /// - Parameters:
    ///   - types: the types that the program can use; nil means ``validTypes``. Include `public.folder` to allow
    ///     folders.
    ///   - access: the most that is wanted. The document has what was granted.
    ///   - companions: patterns for files beside the document that are wanted too, like `{stem}.srt`.
    ///   - reason: the purpose, shown to the user as the program's own statement.
    public func requestDocument(
        types: [String]? = nil, access: AccessMode = .readWrite, companions: [String] = [], reason: String? = nil
    ) async throws(DocumentsError) -> SecurityScopedDocument {
        let reply = try await request(
            .init(
                mode: "open", types: types ?? validTypes, access: access.rawValue,
                companions: companions.isEmpty ? nil : companions, reason: reason,
                operation: OperationIdentifier.make()))
        let item = try Self.item(reply)
        return SecurityScopedDocument(
            reference: DocumentReference(item.reference), access: Self.access(reply), client: client)
    }

    /// Asks for a document to copy (import mode). Gives no right to the original.
    public func requestImport(
        types: [String]? = nil, reason: String? = nil
    ) async throws(DocumentsError) -> ImportedDocument {
        let reply = try await request(
            .init(mode: "import", types: types ?? validTypes, reason: reason, operation: OperationIdentifier.make()))
        guard let index = reply.value.file else { throw Self.incomplete }
        return try ImportedDocument(
            item: DocumentItem(try Self.item(reply)), path: nil, descriptors: reply.descriptors, index: index)
    }

    /// Asks where to put a copy of a file (export mode). Grants nothing, and leaves the source in place.
    ///
    /// - Parameters:
    ///   - descriptor: the source, a regular file open for reading; borrowed.
    ///   - name: the name of the copy; the user may choose another. Nothing is ever replaced.
    ///   - contentType: its uniform type, when the name does not determine it.
    ///   - reason: the purpose, shown to the user.
    public func requestExport(
        from descriptor: CInt, name: String, contentType: String? = nil, reason: String? = nil
    ) async throws(DocumentsError) -> DocumentItem {
        let reply = try await request(
            .init(
                mode: "export", name: name, contentType: contentType, source: 0, reason: reason,
                operation: OperationIdentifier.make()), source: descriptor)
        return DocumentItem(try Self.item(reply))
    }

    /// Asks where to move a file (move mode). Grants the new document. The source is removed after the copy is safe, if
    /// it has not changed since it was copied.
    ///
    /// - Parameters:
    ///   - path: the source, a regular file of this client.
    ///   - name: its new name; nothing is ever replaced.
    ///   - contentType: its uniform type, when the name does not determine it.
    ///   - reason: the purpose, shown to the user.
    /// - Throws: ``DocumentsError``, with code `conflict` when the copy was made but the source was kept because it
    ///   changed meanwhile.
    public func requestMove(
        at path: String, name: String, contentType: String? = nil, reason: String? = nil
    ) async throws(DocumentsError) -> SecurityScopedDocument {
        let source = try MoveSource(path: path, crash: moveCrashPoint)
        // Taken before the copy is made, so that a source changed later is kept.
        let copied = try Self.identity(of: source.descriptor)
        let operation = OperationIdentifier.make()
        let reply = try await request(
            .init(
                mode: "move", access: AccessMode.readWrite.rawValue, name: name, contentType: contentType, source: 0,
                reason: reason, operation: operation), source: source.descriptor)
        let item = try Self.item(reply)
        let kept = source.remove(operation: operation, copied: copied)
        _ = try await client.call(
            DocumentsInterface.MoveFinished.self,
            .init(operation: reply.value.operation ?? operation, removed: kept == nil, reason: kept),
            attempts: WriteSession.attempts)
        if let kept { throw Self.sourceStays(path, kept) }
        return SecurityScopedDocument(
            reference: DocumentReference(item.reference), access: Self.access(reply), client: client)
    }

    // Sent only once: when a daemon dies after the user has answered, the user is not asked again without the program's
    // knowledge.
    private func request(
        _ parameters: DocumentsInterface.RequestPick.Parameters, source: CInt? = nil
    ) async throws(DocumentsError) -> Reply<DocumentsInterface.RequestPick.Reply> {
        try await client.call(
            DocumentsInterface.RequestPick.self, parameters,
            descriptors: try source.map { descriptor throws(DocumentsError) in try Self.list(descriptor) }
                ?? DescriptorList(),
            attempts: 1)
    }

    private static func item(
        _ reply: Reply<DocumentsInterface.RequestPick.Reply>
    ) throws(DocumentsError) -> Wire.Item {
        guard let item = reply.value.item else { throw incomplete }
        return item
    }

    private static func access(_ reply: Reply<DocumentsInterface.RequestPick.Reply>) -> AccessMode {
        reply.value.access.flatMap(AccessMode.init(rawValue:)) ?? .read
    }

    private static func identity(of descriptor: CInt) throws(DocumentsError) -> MoveSource.Identity {
        var status = clinux_stat()
        guard clinux_stat_fd(descriptor, &status) == 0 else {
            throw DocumentsError(.failed, "The source cannot be examined.")
        }
        return MoveSource.Identity(
            device: Int(status.device), inode: Int(status.inode), size: Int(status.size),
            modificationNanoseconds: Int(status.modified_seconds) * 1_000_000_000
                + Int(status.modified_nanoseconds))
    }
}
