import DocentInterfaces
import Varlink

/// Puts the program's own documents into a provider at a place that the program may name. All methods throw
/// ``DocumentsError``.
extension DocumentPicker {
    /// Export mode: copies a file to a folder of a provider. Grants nothing, and leaves the source in place.
    ///
    /// - Parameters:
    ///   - descriptor: the source, a regular file open for reading; borrowed.
    ///   - folder: the folder for the copy.
    ///   - name: the name of the copy; nothing is ever replaced.
    ///   - contentType: its uniform type, when the name does not determine it.
    public func exportDocument(
        from descriptor: CInt, to folder: DocumentLocation, name: String, contentType: String? = nil
    ) async throws(DocumentsError) -> DocumentItem {
        try await export(descriptor, folder, name, contentType, follows: false) { _ in }
    }

    /// Export mode, with progress.
    ///
    /// - Parameters:
    ///   - descriptor: the source, a regular file open for reading; borrowed.
    ///   - folder: the folder for the copy.
    ///   - name: the name of the copy; nothing is ever replaced.
    ///   - contentType: its uniform type, when the name does not determine it.
    ///   - progress: called from time to time, on the caller's task.
    public func exportDocument(
        from descriptor: CInt, to folder: DocumentLocation, name: String, contentType: String? = nil,
        progress: (ExportProgress) -> Void
    ) async throws(DocumentsError) -> DocumentItem {
        try await export(descriptor, folder, name, contentType, follows: true, progress)
    }

    /// Move mode: exports the file, grants the new document, and removes the source. The source is deleted only after
    /// the copy is safe, and only if it has not changed since it was copied.
    ///
    /// - Parameters:
    ///   - path: the source, a regular file of this client.
    ///   - folder: the folder for the document.
    ///   - name: its new name; nothing is ever replaced.
    ///   - contentType: its uniform type, when the name does not determine it.
    ///   - attributes: what to keep beside the content; nothing by default.
    /// - Throws: ``DocumentsError``, with code `conflict` when the copy was made but the source was kept because it
    ///   changed meanwhile.
    public func moveDocument(
        at path: String, to folder: DocumentLocation, name: String, contentType: String? = nil,
        attributes: DocumentAttributes = DocumentAttributes()
    ) async throws(DocumentsError) -> SecurityScopedDocument {
        try await move(path, folder, name, contentType, attributes, follows: false) { _ in }
    }

    /// Move mode, with progress.
    ///
    /// - Parameters:
    ///   - path: the source, a regular file of this client.
    ///   - folder: the folder for the document.
    ///   - name: its new name; nothing is ever replaced.
    ///   - contentType: its uniform type, when the name does not determine it.
    ///   - attributes: what to keep beside the content; nothing by default.
    ///   - progress: called from time to time until the copy is safe, on the caller's task.
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

    // Only a caller that wants progress asks for more than one reply.
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

    /// The copy was made, but the source is no longer what was copied.
    static func sourceStays(_ path: String, _ reason: String) -> DocumentsError {
        DocumentsError(
            .conflict, "\(path) was copied, but the source was kept: \(reason).",
            suggestion: "Compare the two. If both are needed, export the source again under another name.")
    }

    static var incomplete: DocumentsError {
        DocumentsError(.failed, "The daemon's answer is incomplete.")
    }
}
