import DocentInterfaces
import Varlink

extension SecurityScopedDocument {
    /// Fetches the content, if it is not here, without opening it. Others who wait for it share the transfer.
    ///
    /// The transfer is the daemon's: cancelling this task gives up waiting, and ends the transfer only when nobody else waits.
    ///
    /// - Parameter progress: called at times with what has come, on the caller's task.
    /// - Returns: the document, downloaded.
    /// - Throws: ``DocumentsError``: `unavailable` when the provider cannot be reached, `notAuthenticated`, `noSpace`,
    ///   `cancelled`, or what the provider says.
    @discardableResult
    public func download(
        progress: (DownloadProgress) -> Void = { _ in }
    ) async throws(DocumentsError) -> DocumentItem {
        // The same operation when it has to be asked for again: the daemon then goes on with what it has.
        let parameters = DocumentsInterface.Download.Parameters(
            reference: reference.wire, operation: OperationIdentifier.make())
        do {
            let last = try await client.follow(DocumentsInterface.Download.self, parameters) { reply in
                progress(DownloadProgress(reply))
            }
            guard let item = last.item else {
                throw DocumentsError(.failed, "The daemon's answer lacks the document.")
            }
            return DocumentItem(item)
        } catch { throw (error as? DocumentsError) ?? DocumentsError(Failure.from(error)) }
    }

    /// Opens the document for reading; a document that is not here is fetched first, with its progress told.
    ///
    /// - Parameter progress: called at times with what has come, on the caller's task; never for a document that is here.
    /// - Returns: as ``openForReading()-6ox6l``: a descriptor that the caller closes.
    /// - Throws: ``DocumentsError``, as ``download(progress:)`` and ``openForReading()-6ox6l``.
    public func openForReading(progress: (DownloadProgress) -> Void) async throws(DocumentsError) -> CInt {
        if let descriptor = reopenUnderLease() { return descriptor }
        if try await !item().isDownloaded {
            do throws(DocumentsError) {
                try await download(progress: progress)
            } catch {
                // A daemon that cannot fetch without opening fetches as it opens.
                guard error.code == .notSupported else { throw error }
            }
        }
        return try await openForReading()
    }
}
