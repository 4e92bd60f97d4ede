import DocentInterfaces
import Varlink

/// Putting a document of one's own into a provider, where the program may name the place. All throw ``DocumentsError``.
extension DocumentPicker {
    /// Export mode (C3): copies a file to a folder of a provider. Grants nothing; the source stays.
    ///
    /// - Parameters:
    ///   - descriptor: the source, a regular file open for reading; borrowed.
    ///   - folder: the folder that it goes into.
    ///   - name: the name of the copy; nothing is ever replaced.
    ///   - contentType: its uniform type, where the name does not tell.
    public func exportDocument(
        from descriptor: CInt, to folder: DocumentLocation, name: String, contentType: String? = nil
    ) async throws(DocumentsError) -> DocumentItem {
        try await export(descriptor, folder, name, contentType, follows: false) { _ in }
    }

    /// The same, telling how far it has come.
    ///
    /// - Parameters:
    ///   - descriptor: the source, a regular file open for reading; borrowed.
    ///   - folder: the folder that it goes into.
    ///   - name: its name there; nothing is ever replaced.
    ///   - contentType: its uniform type, where the name does not tell.
    ///   - progress: called at times, on the caller's task.
    public func exportDocument(
        from descriptor: CInt, to folder: DocumentLocation, name: String, contentType: String? = nil,
        progress: (ExportProgress) -> Void
    ) async throws(DocumentsError) -> DocumentItem {
        try await export(descriptor, folder, name, contentType, follows: true, progress)
    }

    /// Move mode (C4): exports the file, grants the new document, and removes the source, which is deleted only
    /// after the copy is safe and only if it still is what was copied (X14, W Move).
    ///
    /// - Parameters:
    ///   - path: the source, a regular file of this client.
    ///   - folder: the folder that it goes into.
    ///   - name: its name there; nothing is ever replaced.
    ///   - contentType: its uniform type, where the name does not tell.
    ///   - attributes: what is kept beside the content; nil: nothing.
    /// - Throws: ``DocumentsError``; with code `conflict` when the copy is made but the source was kept, because it
    ///   changed meanwhile.
    public func moveDocument(
        at path: String, to folder: DocumentLocation, name: String, contentType: String? = nil,
        attributes: DocumentAttributes = DocumentAttributes()
    ) async throws(DocumentsError) -> SecurityScopedDocument {
        try await move(path, folder, name, contentType, attributes, follows: false) { _ in }
    }

    /// The same, telling how far it has come.
    ///
    /// - Parameters:
    ///   - path: the source, a regular file of this client.
    ///   - folder: the folder that it goes into.
    ///   - name: its name there; nothing is ever replaced.
    ///   - contentType: its uniform type, where the name does not tell.
    ///   - attributes: what is kept beside the content; nil: nothing.
    ///   - progress: called at times until the copy is safe, on the caller's task.
    /// - Throws: ``DocumentsError``, as ``moveDocument(at:to:name:contentType:attributes:)``.
    public func moveDocument(
        at path: String, to folder: DocumentLocation, name: String, contentType: String? = nil,
        attributes: DocumentAttributes = DocumentAttributes(), progress: (ExportProgress) -> Void
    ) async throws(DocumentsError) -> SecurityScopedDocument {
        try await move(path, folder, name, contentType, attributes, follows: true, progress)
    }

    private func export(
        _ descriptor: CInt, _ folder: DocumentLocation, _ name: String, _ contentType: String?, follows: Bool,
        _ progress: (ExportProgress) -> Void
    ) async throws(DocumentsError) -> DocumentItem {
        let reply = try await ask(
            PickerInterface.PickExport.self,
            .init(
                folder: folder.wire, name: name, source: 0, contentType: contentType,
                operation: OperationIdentifier.make()),
            source: descriptor, follows: follows
        ) {
            ExportProgress(
                stage: $0.stage, completedBytes: $0.completedBytes, totalBytes: $0.totalBytes,
                bytesPerSecond: $0.bytesPerSecond
            ).map(progress)
        }
        guard let item = reply.item else { throw Self.incomplete }
        return DocumentItem(item)
    }

    private func move(
        _ path: String, _ folder: DocumentLocation, _ name: String, _ contentType: String?,
        _ attributes: DocumentAttributes, follows: Bool, _ progress: (ExportProgress) -> Void
    ) async throws(DocumentsError) -> SecurityScopedDocument {
        let source = try MoveSource(path: path, crash: moveCrashPoint)
        let operation = OperationIdentifier.make()
        try await attributes.stage(operation, client)
        let reply = try await ask(
            PickerInterface.PickMove.self,
            .init(folder: folder.wire, name: name, source: 0, contentType: contentType, operation: operation),
            source: source.descriptor, follows: follows
        ) {
            ExportProgress(
                stage: $0.stage, completedBytes: $0.completedBytes, totalBytes: $0.totalBytes,
                bytesPerSecond: $0.bytesPerSecond
            ).map(progress)
        }
        guard let item = reply.item, let device = reply.device, let inode = reply.inode, let size = reply.size,
            let modified = reply.modificationNanoseconds
        else { throw Self.incomplete }
        let kept = source.remove(
            operation: operation,
            copied: .init(device: device, inode: inode, size: size, modificationNanoseconds: modified))
        _ = try await client.call(
            DocumentsInterface.MoveFinished.self,
            .init(operation: operation, removed: kept == nil, reason: kept), attempts: WriteSession.attempts)
        if let kept { throw Self.sourceStays(path, kept) }
        return SecurityScopedDocument(
            reference: DocumentReference(item.reference), access: .readWrite, client: client)
    }

    // Only who follows asks for more than one reply.
    private func ask<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, source: CInt, follows: Bool,
        _ each: (Method.Reply) -> Void
    ) async throws(DocumentsError) -> Method.Reply {
        let descriptors = try Self.list(source)
        guard follows else {
            return try await client.call(
                method, parameters, descriptors: descriptors, attempts: WriteSession.attempts
            ).value
        }
        do {
            return try await client.follow(
                method, parameters, descriptors: descriptors, attempts: WriteSession.attempts, each)
        } catch { throw (error as? DocumentsError) ?? DocumentsError(Failure.from(error)) }
    }

    /// The copy is made, but the source is not what was copied any more.
    static func sourceStays(_ path: String, _ reason: String) -> DocumentsError {
        DocumentsError(
            .conflict, "\(path) was copied, but the source stays: \(reason).",
            suggestion: "Compare the two and remove the one you do not want.")
    }

    static var incomplete: DocumentsError {
        DocumentsError(.failed, "The daemon's answer is incomplete.")
    }
}
