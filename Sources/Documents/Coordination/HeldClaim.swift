import DocentInterfaces
import Synchronization
import Varlink

/// A granted claim. It is held as long as its connection makes no other call.
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

    /// The claim's name.
    var operation: String { query.operation }

    /// Whether the access has ended.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// The items, in the order of the query; nil for one that does not exist.
    var items: [DocumentItem?] { state.withLock { $0.items } }

    func item(_ index: Int) -> DocumentItem? {
        state.withLock { $0.items.indices.contains(index) ? $0.items[index] : nil }
    }

    func file(_ index: Int) -> ClaimedFile? {
        state.withLock { $0.files.indices.contains(index) ? $0.files[index] : nil }
    }

    /// Keeps a descriptor open for the duration of an access.
    func keep(_ file: ClaimedFile, at index: Int) {
        state.withLock { state in
            if state.files.indices.contains(index) { state.files[index] = file }
        }
    }

    /// Whether its connection has ended, because the daemon was restarted or has gone.
    var isLost: Bool { state.withLock { !$0.isEnded && $0.connection?.isAbandoned ?? true } }

    /// Records a changed item, for comparison with a lost claim and for the presenter.
    func note(_ item: DocumentItem, at index: Int) {
        state.withLock { state in
            if state.items.indices.contains(index) { state.items[index] = item }
        }
        query.registration?.note(item)
    }

    // MARK: Changes within the claim

    /// Makes a change end with the access.
    func adopt(_ session: any ClaimedSession) { state.withLock { $0.sessions.append(session) } }

    private var open: [any ClaimedSession] { state.withLock { $0.sessions }.filter(\.isOpen) }

    /// Publishes the changes that the accessor left open.
    func commit() async throws(DocumentsError) {
        for session in open { try await session.commit() }
    }

    /// Discards the changes that the accessor left open, even in a cancelled task.
    func abandon() async {
        let open = open
        guard !open.isEmpty else { return }
        await Task {
            for session in open { try? await session.abandon() }
        }.value
    }

    /// The blocking form of ``commit()``.
    func commitBlocking() throws(DocumentsError) {
        for session in open { try (session as? WriteSession)?.commitBlocking() }
    }

    /// The blocking form of ``abandon()``.
    func abandonBlocking() {
        for session in open { (session as? WriteSession)?.abandonBlocking() }
    }

    // MARK: The end

    /// Closes the descriptors of the access and ends the claim with one write, without waiting for the reply.
    ///
    /// - Returns: false when the claim was already lost.
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

    /// The operation is generated here and needs no escaping.
    private static func message(_ operation: String) -> [UInt8] {
        Array(#"{"method":"org.docent.Documents.ReleaseClaim","parameters":{"operation":""#.utf8)
            + Array(operation.utf8)
            + Array(#""}}"#.utf8)
    }

    // MARK: After a restart of the daemon

    /// Whether a loss matters: something other than a snapshot was read, and others may have changed it meanwhile.
    var mustBeReassured: Bool {
        !query.prepares && !query.intents.contains { $0.isWriting || $0.isForUploading }
    }

    /// Acquires a lost claim again to verify that nothing has changed. Blocks.
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

    /// Acquires a lost writing claim again and holds it from now on. Blocks.
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
        // Presenters already saved when the claim was first granted.
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
