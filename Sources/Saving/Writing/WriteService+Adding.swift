import DocentInterfaces
package import FoundationEssentials
package import HostCore
import Records
package import Rights
package import Storage

extension WriteService {
    /// Keeps content beside a document as a version of it. May be repeated with the same operation.
    ///
    /// - Parameters:
    ///   - file: the content, a regular file that is open for reading; read from its start.
    ///   - name: what it is called; nil for the name of the document.
    ///   - modified: when the content was made; nil for now.
    /// - Returns: the identifier of the version.
    /// - Throws: ``Failure``: `NotPermitted` without the right to write the document; `InvalidArgument` for an empty
    ///   content.
    package func addVersion(
        _ session: Session, _ key: ItemKey, from file: OpenDescriptor, operation: String, name: String?,
        modified: Date?, worker: BlockingWorker
    ) async throws -> String {
        if let known = try await journal.outcome(operation, session.principal), known.state == .recovered {
            return known.id
        }
        let staged = try await begin(session, key, replacing: true, operation: operation).file
        guard let row = try await journal.outcome(operation, session.principal) else { throw JournalError.unreadable }
        do {
            try await worker.run { cancellation in
                try withExtendedLifetime((file, staged)) {
                    _ = try FileCopier.copy(
                        from: file.number, to: staged.number, bound: .max, cancellation: cancellation)
                }
            }
        } catch {
            // In a task of its own: this one may be cancelled.
            await Task { try? await abandon(session, operation) }.value
            throw error
        }
        await keepAdded(session, row, name: name, modified: modified)
        guard try await journal.outcome(operation, session.principal)?.state == .recovered else {
            throw Failure(.invalidArgument, "A version cannot be empty.")
        }
        return row.id
    }
}
