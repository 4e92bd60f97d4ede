import DocentInterfaces
import Varlink

extension SecurityScopedDocument {
    /// Fetches the content, if it is not on this machine, without opening it. Callers that wait for the same content
    /// share one transfer.
    ///
    /// The daemon owns the transfer. Cancelling this task stops waiting; the transfer ends only when no one else waits
    /// for it.
    ///
    /// - Parameter progress: called from time to time, on the caller's task.
    /// - Returns: the downloaded document.
    /// - Throws: ``DocumentsError``: `unavailable` when the provider cannot be reached, `notAuthenticated`, `noSpace`,
    ///   `cancelled`, or the provider's error.
    @discardableResult
    public func download(
        progress: (DownloadProgress) -> Void = { _ in }
    ) async throws(DocumentsError) -> DocumentItem {
        // A repeated call uses the same operation, so that a new daemon continues with what has already arrived.
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

    /// Opens the document for reading. Content that is not on this machine is fetched first, with progress.
    ///
    /// - Parameter progress: called from time to time, on the caller's task; never when the content is already here.
    /// - Returns: a descriptor that the caller closes, as ``openForReading()-6ox6l``.
    /// - Throws: ``DocumentsError``, as ``download(progress:)`` and ``openForReading()-6ox6l``.
    public func openForReading(progress: (DownloadProgress) -> Void) async throws(DocumentsError) -> CInt {
        if let descriptor = reopenUnderLease() { return descriptor }
        if try await !item().isDownloaded {
            do throws(DocumentsError) {
                try await download(progress: progress)
            } catch {
                // A daemon that cannot fetch without opening fetches when it opens.
                guard error.code == .notSupported else { throw error }
            }
        }
        return try await openForReading()
    }
}
