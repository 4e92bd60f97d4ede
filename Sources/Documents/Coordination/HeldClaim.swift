import DocentInterfaces
import Synchronization
import Varlink

/// A claim that was granted: it is held as long as its connection makes no other call (T3).
final class HeldClaim: Sendable {
    struct State {
        var connection: VarlinkConnection?
        var epoch: Int
        var items: [DocumentItem?]
        var isEnded = false
        var files: [ClaimedFile?]
        var sessions: [any ClaimedSession] = []
    }

    let client: DocumentsClient
    let query: ClaimQuery
    private let state: Mutex<State>

    init(
        client: DocumentsClient, query: ClaimQuery, connection: VarlinkConnection, epoch: Int, items: [DocumentItem?],
        file: ClaimedFile?
    ) {
        self.client = client
        self.query = query
        var files = [ClaimedFile?](repeating: nil, count: items.count)
        if !files.isEmpty { files[0] = file }
        state = Mutex(State(connection: connection, epoch: epoch, items: items, files: files))
    }

    deinit { _ = release() }

    /// Its name.
    var operation: String { query.operation }

    /// Whether the access is over.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// What is known of the items, in the order of the query; nil for one that is not there.
    var items: [DocumentItem?] { state.withLock { $0.items } }

    func item(_ index: Int) -> DocumentItem? {
        state.withLock { $0.items.indices.contains(index) ? $0.items[index] : nil }
    }

    func file(_ index: Int) -> ClaimedFile? {
        state.withLock { $0.files.indices.contains(index) ? $0.files[index] : nil }
    }

    /// Keeps a descriptor open for an access.
    func keep(_ file: ClaimedFile, at index: Int) {
        state.withLock { state in
            if state.files.indices.contains(index) { state.files[index] = file }
        }
    }

    /// Whether its connection has ended, so that another daemon is there or none.
    var isLost: Bool { state.withLock { !$0.isEnded && $0.connection?.isAbandoned ?? true } }

    /// The item is another one now: what a lost claim is compared with, and what the presenter knows.
    func note(_ item: DocumentItem, at index: Int) {
        state.withLock { state in
            if state.items.indices.contains(index) { state.items[index] = item }
        }
        query.registration?.note(item)
    }

    // MARK: What is written within it

    /// Has a change end with the access.
    func adopt(_ session: any ClaimedSession) { state.withLock { $0.sessions.append(session) } }

    private var open: [any ClaimedSession] { state.withLock { $0.sessions }.filter(\.isOpen) }

    /// Publishes what the accessor left open.
    func commit() async throws(DocumentsError) {
        for session in open { try await session.commit() }
    }

    /// Drops what the accessor left open, also in a task that was cancelled.
    func abandon() async {
        let open = open
        guard !open.isEmpty else { return }
        await Task {
            for session in open { try? await session.abandon() }
        }.value
    }

    /// The same as ``commit()``, blocking.
    func commitBlocking() throws(DocumentsError) {
        for session in open { try (session as? WriteSession)?.commitBlocking() }
    }

    /// The same as ``abandon()``, blocking.
    func abandonBlocking() {
        for session in open { (session as? WriteSession)?.abandonBlocking() }
    }

    // MARK: The end

    /// Closes the descriptors of the access and ends the claim, with one write and without waiting for its reply.
    ///
    /// - Returns: false when the claim had been lost before.
    func release() -> Bool {
        let (connection, epoch, files) = state.withLock { state in
            defer {
                state.isEnded = true
                state.connection = nil
                state.files = []
                state.sessions = []
            }
            return (state.connection, state.epoch, state.files)
        }
        for file in files { file?.close() }
        guard let connection else { return true }
        do {
            try connection.letGo(sending: Self.message(operation))
            client.giveBack(connection, epoch)
            return true
        } catch {
            client.lose(connection, epoch)
            return false
        }
    }

    /// The operation is ours: it needs no escaping.
    private static func message(_ operation: String) -> [UInt8] {
        Array(#"{"method":"org.docent.Documents.ReleaseClaim","parameters":{"operation":""#.utf8)
            + Array(operation.utf8)
            + Array(#""}}"#.utf8)
    }

    // MARK: Lost to a restart (D3)

    /// Whether a loss matters: something was read that others may have changed meanwhile, and it was no snapshot.
    var mustBeReassured: Bool {
        !query.prepares && !query.intents.contains { $0.isWriting || $0.isForUploading }
    }

    /// Asks for a claim that was lost once more, to see that nothing has changed since; blocks.
    ///
    /// - Throws: ``DocumentsError`` `claimLost`.
    func reassureBlocking() throws(DocumentsError) {
        let items = items
        let claim = try holdAgain()
        let isSame = zip(items, claim.items).allSatisfy { before, now in
            guard let before, let now else { return before == nil && now == nil }
            return now.hasContent(of: before) ?? (now.version == before.version)
        }
        _ = claim.release()
        guard isSame else { throw Self.lost(nil) }
    }

    /// Asks once more for a writing claim that was lost, and holds that from now on; blocks.
    ///
    /// - Throws: ``DocumentsError`` `claimLost`.
    func recoverBlocking() throws(DocumentsError) {
        let (connection, epoch) = try holdAgain().takeOver()
        let kept = state.withLock { state in
            guard !state.isEnded else { return false }
            state.connection = connection
            state.epoch = epoch
            return true
        }
        if !kept { connection?.close() }
    }

    private func holdAgain() throws(DocumentsError) -> HeldClaim {
        guard let version = item(0)?.version else { throw Self.lost(nil) }
        var again = query
        again.opens = false
        // What was granted was saved for it then.
        again.intents = again.intents.map(\.withoutChanges)
        again.knownVersion = version
        again.deadline = 60
        do throws(DocumentsError) {
            return try client.holdBlocking(again, ClaimCancellation())
        } catch { throw Self.lost(error) }
    }

    private static func lost(_ error: DocumentsError?) -> DocumentsError {
        if let error, error.code == .claimLost { return error }
        return DocumentsError(
            .claimLost, "The claim was lost to a restart of the daemon\(error.map { ": \($0.message)" } ?? ".")",
            suggestion: "Read the document again, and repeat the change.")
    }

    private func takeOver() -> (VarlinkConnection?, Int) {
        state.withLock { state in
            defer {
                state.connection = nil
                state.isEnded = true
            }
            return (state.connection, state.epoch)
        }
    }
}
