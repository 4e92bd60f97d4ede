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
    /// - Returns: the document as it now is.
    /// - Throws: ``DocumentsError``. `conflict` when it changed meanwhile; nothing is lost, both contents are kept.
    @discardableResult
    public func commit() async throws(DocumentsError) -> DocumentItem {
        closeFile()
        return DocumentItem(
            try await client.call(DocumentsInterface.CommitWrite.self, .init(operation: operation)).value.item)
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
