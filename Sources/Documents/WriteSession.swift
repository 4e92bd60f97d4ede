import DocentInterfaces
import Glibc
import Synchronization
import Varlink

/// One change of a document in the making: a private staged file that becomes the content as a whole, or not at all (W0).
public final class WriteSession: Sendable {
    /// Names the change in ``DocumentsClient/outcome(of:)``, also after a lost reply.
    public let operation: String
    /// The version that the change starts from.
    public let baseVersion: String?
    /// How many daemons may die over one step of a change before it is given up.
    static let attempts = 4
    private let client: DocumentsClient
    private let file: Mutex<CInt>

    init(operation: String, client: DocumentsClient, descriptor: CInt, baseVersion: String?) {
        self.operation = operation
        self.client = client
        self.baseVersion = baseVersion
        file = Mutex(descriptor)
    }

    deinit { closeFile() }

    /// The staged file, open for reading and writing; −1 after the session has ended. Closing it means nothing: *saved* is
    /// what ``commit()`` answers.
    public var descriptor: CInt { file.withLock { $0 } }

    /// Publishes the staged file. When it returns, the change is durable.
    ///
    /// It goes on with another daemon when the one that began it has died (D3): a new daemon knows the session by its
    /// operation for a minute, and the staged file is what was written into ``descriptor`` all along.
    ///
    /// - Returns: the document as it now is.
    /// - Throws: ``DocumentsError``. `conflict` when it changed meanwhile; nothing is lost, both contents are kept.
    @discardableResult
    public func commit() async throws(DocumentsError) -> DocumentItem {
        closeFile()
        do throws(DocumentsError) {
            return DocumentItem(
                try await client.call(
                    DocumentsInterface.CommitWrite.self, .init(operation: operation), attempts: Self.attempts
                ).value.item)
        } catch {
            guard let item = await committed(after: error) else { throw error }
            return item
        }
    }

    /// The document, where the change is durable although its commit was answered with an error: the first reply was lost
    /// with its daemon, and what failed is the second call.
    private func committed(after error: DocumentsError) async -> DocumentItem? {
        guard [.notFound, .unavailable, .failed].contains(error.code), !Task.isCancelled,
            let outcome = try? await client.outcome(of: operation),
            outcome.state == .committed || outcome.state == .finished, let reference = outcome.reference
        else { return nil }
        return try? await client.document(reference).item()
    }

    /// Drops the change.
    public func abandon() async throws(DocumentsError) {
        closeFile()
        _ = try await client.call(DocumentsInterface.AbandonWrite.self, .init(operation: operation))
    }

    private func closeFile() {
        file.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }
}
