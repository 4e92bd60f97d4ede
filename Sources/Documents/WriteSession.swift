import DocentInterfaces
import Glibc
import Synchronization
import Varlink

/// A change of a document in progress: a private staged file that replaces the content as a whole, or not at all.
///
/// A session that was started with a ``WritingAccess`` belongs to that claim, and ends with the access at the latest.
public final class WriteSession: Sendable, ClaimedSession {
    /// Identifies the change for ``DocumentsClient/outcome(of:)``, even after a lost reply.
    public let operation: String
    /// The version that the change starts from.
    public let baseVersion: String?
    /// Whether the document had another version than the one given when this began: ``descriptor`` is to be filled by
    /// the caller, and the save counts as made beside that other version.
    package let isOutdated: Bool
    /// The largest number of times that one step of a change is sent, while daemons die over it.
    static let attempts = 4
    package let client: DocumentsClient
    // Weak, because the claim refers to the session.
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
        isOutdated = begun.value.outdated ?? false
        do {
            file = Mutex(try begun.descriptors.take(begun.value.file).release())
        } catch { throw DocumentsError(Failure.from(error)) }
    }

    deinit { closeFile() }

    /// Starts creating a document in a folder that the client has a right to. Nothing is ever replaced. ``commit()``
    /// creates the document.
    ///
    /// - Parameters:
    ///   - name: its name in the folder.
    ///   - folder: the folder for the document.
    ///   - contentType: its uniform type, when the name does not determine it.
    ///   - client: the session that has the right to the folder.
    /// - Throws: ``DocumentsError``: `notPermitted`; `conflict` when the name is taken, now or when the document is
    ///   committed.
    public static func create(
        _ name: String, in folder: DocumentReference, contentType: String? = nil, client: DocumentsClient
    ) async throws(DocumentsError) -> WriteSession {
        try await begin(folder, replacing: true, creating: (name, contentType), client: client)
    }

    /// Starts a change.
    ///
    /// - Parameters:
    ///   - reference: the document, or the folder of a new document.
    ///   - base: the version that the caller has read; nil for the present one.
    ///   - asking: another program for which it is written.
    package static func begin(
        _ reference: DocumentReference, replacing: Bool, base: String?, for asking: AskingProgram?,
        client: DocumentsClient
    ) async throws(DocumentsError) -> WriteSession {
        try await begin(
            reference, replacing: replacing, base: base, asking: asking, creating: nil, claim: nil, client: client)
    }

    /// - Parameters:
    ///   - creating: the name of a new document, and its type when the name does not determine it.
    ///   - claim: the writing claim that covers the document, and the document's index in it.
    static func begin(
        _ reference: DocumentReference, replacing: Bool, base: String? = nil, asking: AskingProgram? = nil,
        creating: (name: String, contentType: String?)? = nil, claim: (HeldClaim, Int)? = nil, client: DocumentsClient
    ) async throws(DocumentsError) -> WriteSession {
        let operation = OperationIdentifier.make()
        let reply = try await client.call(
            DocumentsInterface.BeginWrite.self,
            .init(
                reference: reference.wire, replacing: replacing, operation: operation, claim: claim?.0.operation,
                name: creating?.name, contentType: creating?.contentType, base: base,
                program: asking?.path, process: asking?.process),
            attempts: attempts)
        return try WriteSession(reply, operation: operation, claim: claim, client: client)
    }

    /// The form that blocks the calling thread.
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

    /// The staged file, open for reading and writing; −1 after the session has ended. Closing it saves nothing: the
    /// document is saved when ``commit()`` returns.
    public var descriptor: CInt { file.withLock { $0 } }

    /// Whether the session is neither committed nor abandoned.
    public var isOpen: Bool { !isFinished.load(ordering: .acquiring) }

    /// Publishes the staged file. When it returns, the change is durable.
    ///
    /// If the daemon has died, the commit continues with a new one: that daemon recognises the session by its operation
    /// for a minute, and the staged file is the one that ``descriptor`` refers to. A claim that was lost with the
    /// daemon is acquired again.
    ///
    /// - Returns: the document as it is now.
    /// - Throws: ``DocumentsError``. `conflict` when the document changed meanwhile: nothing is lost, both contents are
    ///   kept. `claimLost` when someone else changed it while the claim was lost: nothing was published.
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

    /// The form of ``commit()`` that blocks the calling thread.
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

    /// The document, if the change is durable although the commit ended with an error: the first reply was lost with
    /// its daemon, and it was the second call that failed.
    private func committed(after error: DocumentsError) async -> DocumentItem? {
        guard [.notFound, .unavailable, .failed].contains(error.code), !Task.isCancelled,
            let outcome = try? await client.outcome(of: operation),
            outcome.state == .committed || outcome.state == .finished, let reference = outcome.reference
        else { return nil }
        return try? await client.document(reference).item()
    }

    /// Discards the change.
    public func abandon() async throws(DocumentsError) {
        finish()
        _ = try await client.call(DocumentsInterface.AbandonWrite.self, .init(operation: operation))
    }

    /// Discards the change, but has the daemon keep what was written as a version of the document.
    ///
    /// - Parameter reason: `recovered` or `replaced`, as shown by `docent versions`.
    package func setAside(as reason: String) async throws(DocumentsError) {
        finish()
        _ = try await client.call(
            DocumentsInterface.AbandonWrite.self, .init(operation: operation, keep: reason))
    }

    /// The form of ``abandon()`` that blocks the calling thread; errors are ignored.
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
