import DocentInterfaces
import Glibc
import Synchronization
import Varlink

/// One change of a document in the making: a private staged file that becomes the content as a whole, or not at all (W0).
///
/// Begun with a ``WritingAccess`` it belongs to that claim, and ends with the access at the latest.
public final class WriteSession: Sendable, ClaimedSession {
    /// Names the change in ``DocumentsClient/outcome(of:)``, also after a lost reply.
    public let operation: String
    /// The version that the change starts from.
    public let baseVersion: String?
    /// How many daemons may die over one step of a change before it is given up.
    static let attempts = 4
    let client: DocumentsClient
    // Weak, for the claim knows it too.
    private weak let claim: HeldClaim?
    private let claimName: String?
    private let index: Int
    private let file: Mutex<CInt>
    private let isFinished = Atomic(false)

    private init(
        _ begun: Reply<DocumentsInterface.BeginWrite.Reply>, operation: String, claim: (HeldClaim, Int)?,
        client: DocumentsClient
    ) throws(DocumentsError) {
        self.operation = operation
        self.client = client
        self.claim = claim?.0
        claimName = claim?.0.operation
        index = claim?.1 ?? 0
        baseVersion = begun.value.baseVersion
        do {
            file = Mutex(try begun.descriptors.take(begun.value.file).release())
        } catch { throw DocumentsError(Failure.from(error)) }
    }

    deinit { closeFile() }

    /// Starts making a document in a folder to which the client has the right, never replacing anything. ``commit()`` makes it.
    ///
    /// - Parameters:
    ///   - name: its name there.
    ///   - folder: the folder that it goes into.
    ///   - contentType: its uniform type, where the name does not tell.
    ///   - client: the session that has the right to the folder.
    /// - Throws: ``DocumentsError``: `conflict` when the name is taken, here or when it is committed; `notPermitted`.
    public static func create(
        _ name: String, in folder: DocumentReference, contentType: String? = nil, client: DocumentsClient
    ) async throws(DocumentsError) -> WriteSession {
        try await begin(folder, replacing: true, creating: (name, contentType), client: client)
    }

    /// Starts a change.
    ///
    /// - Parameters:
    ///   - reference: the document; of a new one, the folder.
    ///   - creating: the name, and the type where that does not tell, of a new document.
    ///   - claim: the writing claim that covers it, and the number of the document in it.
    static func begin(
        _ reference: DocumentReference, replacing: Bool, creating: (name: String, contentType: String?)? = nil,
        claim: (HeldClaim, Int)? = nil, client: DocumentsClient
    ) async throws(DocumentsError) -> WriteSession {
        let operation = OperationIdentifier.make()
        let reply = try await client.call(
            DocumentsInterface.BeginWrite.self,
            .init(
                reference: reference.wire, replacing: replacing, operation: operation, claim: claim?.0.operation,
                name: creating?.name, contentType: creating?.contentType),
            attempts: attempts)
        return try WriteSession(reply, operation: operation, claim: claim, client: client)
    }

    /// The same on the calling thread.
    static func beginBlocking(
        _ reference: DocumentReference, replacing: Bool, creating: (name: String, contentType: String?)? = nil,
        claim: (HeldClaim, Int)? = nil, client: DocumentsClient
    ) throws(DocumentsError) -> WriteSession {
        let operation = OperationIdentifier.make()
        let reply = try client.callBlocking(
            DocumentsInterface.BeginWrite.self,
            .init(
                reference: reference.wire, replacing: replacing, operation: operation, claim: claim?.0.operation,
                name: creating?.name, contentType: creating?.contentType))
        return try WriteSession(reply, operation: operation, claim: claim, client: client)
    }

    /// The staged file, open for reading and writing; −1 after the session has ended. Closing it means nothing: *saved* is
    /// what ``commit()`` answers.
    public var descriptor: CInt { file.withLock { $0 } }

    /// Whether it was neither committed nor abandoned yet.
    public var isOpen: Bool { !isFinished.load(ordering: .acquiring) }

    /// Publishes the staged file. When it returns, the change is durable.
    ///
    /// It goes on with another daemon when the one that began it has died (D3): a new daemon knows the session by its
    /// operation for a minute, and the staged file is what was written into ``descriptor`` all along. A claim that was lost with
    /// the daemon is asked for once more.
    ///
    /// - Returns: the document as it now is.
    /// - Throws: ``DocumentsError``. `conflict` when it changed meanwhile; nothing is lost, both contents are kept. `claimLost`
    ///   when somebody else changed it while the claim was lost; nothing was published then.
    @discardableResult
    public func commit() async throws(DocumentsError) -> DocumentItem {
        finish()
        do throws(DocumentsError) {
            return try await publish()
        } catch {
            guard error.code == .claimLost, let claim, claim.isLost else { throw error }
            try await BlockingWork.value { () throws(DocumentsError) in try claim.recoverBlocking() }
            return try await publish()
        }
    }

    private func publish() async throws(DocumentsError) -> DocumentItem {
        let item: DocumentItem
        do throws(DocumentsError) {
            item = DocumentItem(
                try await client.call(
                    DocumentsInterface.CommitWrite.self, .init(operation: operation, claim: claimName),
                    attempts: Self.attempts
                ).value.item)
        } catch {
            guard let committed = await committed(after: error) else { throw error }
            item = committed
        }
        claim?.note(item, at: index)
        return item
    }

    /// The same as ``commit()``, on the calling thread.
    @discardableResult
    public func commitBlocking() throws(DocumentsError) -> DocumentItem {
        finish()
        do throws(DocumentsError) {
            return try publishBlocking()
        } catch {
            guard error.code == .claimLost, let claim, claim.isLost else { throw error }
            try claim.recoverBlocking()
            return try publishBlocking()
        }
    }

    private func publishBlocking() throws(DocumentsError) -> DocumentItem {
        let reply = try client.callBlocking(
            DocumentsInterface.CommitWrite.self, .init(operation: operation, claim: claimName))
        let item = DocumentItem(reply.value.item)
        claim?.note(item, at: index)
        return item
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
        finish()
        _ = try await client.call(DocumentsInterface.AbandonWrite.self, .init(operation: operation))
    }

    /// Drops the change, and has the daemon keep what was written beside the document as a version.
    ///
    /// - Parameter reason: `recovered` or `replaced`, as `docent versions` tells it.
    package func setAside(as reason: String) async throws(DocumentsError) {
        finish()
        _ = try await client.call(
            DocumentsInterface.AbandonWrite.self, .init(operation: operation, keep: reason))
    }

    /// The same as ``abandon()``, on the calling thread; what goes wrong is of no interest.
    func abandonBlocking() {
        finish()
        _ = try? client.callBlocking(DocumentsInterface.AbandonWrite.self, .init(operation: operation))
    }

    private func finish() {
        isFinished.store(true, ordering: .releasing)
        closeFile()
    }

    private func closeFile() {
        file.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }
}
