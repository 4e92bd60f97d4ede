import CLinux
import DocentInterfaces
import Glibc
import Varlink

/// Having the user choose: a program in a sandbox cannot name locations (I1), but it can ask. Whoever looks after the sandbox, like the
/// terminal that `docent run` was started in, asks the user; the call returns when the user has answered. Cancelling the task takes the
/// question back.
///
/// All of them throw ``DocumentsError``: `notPermitted` when the user refused or nobody is there to ask, `deadlineExceeded` when
/// nobody answered, `unavailable` when too many questions of this program wait already.
extension DocumentPicker {
    /// Asks for a document to be edited in place (open mode, C2). The right ends with this client unless the user gave it for good, or it
    /// is taken, as by making a bookmark.
    ///
    /// - Parameters:
    ///   - types: what the program can use; nil is ``validTypes``. With `public.folder` among them folders can be chosen.
    ///   - access: the most that is wanted. The document tells what was granted.
    ///   - companions: patterns of names beside the document that are wanted too, like `{stem}.srt`.
    ///   - reason: why, shown to the user as this program's word.
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

    /// Asks for a document to be copied (import mode, C1). No right to the original is given.
    public func requestImport(
        types: [String]? = nil, reason: String? = nil
    ) async throws(DocumentsError) -> ImportedDocument {
        let reply = try await request(
            .init(mode: "import", types: types ?? validTypes, reason: reason, operation: OperationIdentifier.make()))
        guard let index = reply.value.file else { throw Self.incomplete }
        return try ImportedDocument(
            item: DocumentItem(try Self.item(reply)), path: nil, descriptors: reply.descriptors, index: index)
    }

    /// Asks where a copy of a file is to be put (export mode, C3). Grants nothing; the source stays.
    ///
    /// - Parameters:
    ///   - descriptor: the source, a regular file open for reading; borrowed.
    ///   - name: the name of the copy; the user may choose another. Nothing is ever replaced.
    ///   - contentType: its uniform type, where the name does not tell.
    ///   - reason: what the user is told that it is for.
    public func requestExport(
        from descriptor: CInt, name: String, contentType: String? = nil, reason: String? = nil
    ) async throws(DocumentsError) -> DocumentItem {
        let reply = try await request(
            .init(
                mode: "export", name: name, contentType: contentType, source: 0, reason: reason,
                operation: OperationIdentifier.make()), source: descriptor)
        return DocumentItem(try Self.item(reply))
    }

    /// Asks where a file is to be moved (move mode, C4): the new document is granted, and the source removed after the copy is safe, if it
    /// still is what was copied.
    ///
    /// - Parameters:
    ///   - path: the source, a regular file of this client.
    ///   - name: its name there; nothing is ever replaced.
    ///   - contentType: its uniform type, where the name does not tell.
    ///   - reason: what the user is told that it is for.
    /// - Throws: ``DocumentsError``; with code `conflict` when the copy is made but the source was kept, because it changed meanwhile.
    public func requestMove(
        at path: String, name: String, contentType: String? = nil, reason: String? = nil
    ) async throws(DocumentsError) -> SecurityScopedDocument {
        let source = try MoveSource(path: path, crash: moveCrashPoint)
        // Taken before it is copied: what is changed later is kept.
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

    // Asked once: a user who has answered a daemon that died over it is not asked again behind the program's back.
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
