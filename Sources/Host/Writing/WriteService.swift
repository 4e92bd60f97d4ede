package import DocentInterfaces
package import Isolation
package import Storage
import Synchronization

/// Write sessions of clients, from the staged file to the durable reply (W).
///
/// Thread-safe.
package final class WriteService: Sendable {
    private let gateway: DocumentGateway
    private let access: AccessControl
    private let journal: OperationJournal
    private let staged: StagedContent
    private let publisher: Publisher
    private let operations: OperationTable
    private let open = Mutex<[String: WriteSession]>([:])

    package init(
        gateway: DocumentGateway, access: AccessControl, journal: OperationJournal, staged: StagedContent,
        publisher: Publisher, operations: OperationTable
    ) {
        self.gateway = gateway
        self.access = access
        self.journal = journal
        self.staged = staged
        self.publisher = publisher
        self.operations = operations
    }

    // MARK: Cancelling

    /// Runs a body under the name that the client gave it (T3).
    package func cancellable<Result: Sendable>(
        _ operation: String, _ session: Session, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await operations.run(operation, session.principal, body)
    }

    /// Ends a running operation of the client.
    package func cancel(_ operation: String, _ session: Session) -> Bool {
        operations.cancel(operation, session.principal)
    }

    // MARK: Sessions

    /// Begins a write session: step 1.
    package func begin(
        _ session: Session, _ key: ItemKey, replacing: Bool, operation: String
    ) async throws -> (file: OpenDescriptor, baseVersion: String?) {
        try OperationTable.check(operation)
        try await access.require(session, key, .readWrite, for: "write")
        let item = try await gateway.item(key)
        guard !item.isFolder else { throw Failure(.invalidArgument, "\"\(item.name)\" is a folder.") }
        let row = try await journal.begin(
            OperationRequest(write: key, operation: operation, principal: session.principal, baseVersion: item.version))
        guard row.state == .open else {
            throw Failure(.conflict, "The operation \(operation) was used before.", suggestion: "Choose a new name.")
        }
        // The same call again, its reply lost: the session is there already.
        if let known = open.withLock({ $0[row.id] }) {
            return (try known.makeClientDescriptor(), row.baseVersion)
        }
        do {
            let source = replacing ? nil : try await gateway.content(key).descriptor
            let begun = try await staged.begin(row, from: source, expected: 0)
            open.withLock { $0[row.id] = begun }
            session.own(operation: operation)
            return (try begun.makeClientDescriptor(), row.baseVersion)
        } catch {
            _ = try? await journal.abandoned(row.id, reason: "it could not begin")
            throw error
        }
    }

    /// Publishes a write session: steps 2 to 9. Durable when it returns.
    package func commit(_ session: Session, _ operation: String) async throws -> Wire.Item {
        try await cancellable(operation, session) { [self] in
            let row = try await row(session, operation)
            switch row.state {
            case .open: break
            // The same call again: tell the outcome.
            case .staged: return try await publisher.publishWrite(row)
            case .published, .uploaded, .finished:
                guard let key = row.itemKey else { throw JournalError.unreadable }
                return try await gateway.item(key)
            default:
                throw Failure(.conflict, "The write has ended: \(row.reason ?? row.state.rawValue).")
            }
            guard let key = row.itemKey, let writing = open.withLock({ $0[row.id] }) else {
                throw Failure(.notFound, "The write session is gone.", suggestion: "Begin a new one.")
            }
            let frozen = try await staged.freeze(writing)
            try Task.checkCancellation()
            // A commit after a revocation is refused though its session began before (I3).
            try await access.require(session, key, .readWrite, for: "commit")
            let committed = try await journal.staged(
                row.id, digest: frozen.digest, size: Int64(frozen.size), baseVersion: row.baseVersion)
            publisher.crash(.committed)
            open.withLock { _ = $0.removeValue(forKey: row.id) }
            session.disown(operation: operation)
            return try await publisher.publishWrite(committed)
        }
    }

    /// Drops a write session.
    package func abandon(_ session: Session, _ operation: String) async throws {
        let row = try await row(session, operation)
        guard row.state == .open else { return }
        open.withLock { _ = $0.removeValue(forKey: row.id) }
        session.disown(operation: operation)
        _ = try await journal.abandoned(row.id, reason: "dropped by the client")
        await staged.remove(row.id)
    }

    /// Keeps what the sessions of a client that has gone had written, neither published nor dropped (W0).
    package func sessionEnded(_ session: Session, _ owned: Set<String>) async {
        for operation in owned {
            guard let row = try? await journal.outcome(operation, session.principal), row.state == .open else { continue }
            open.withLock { _ = $0.removeValue(forKey: row.id) }
            await keep(row)
        }
    }

    private func keep(_ row: JournaledOperation) async {
        if await staged.recover(row) {
            _ = try? await journal.recovered(row.id, reason: "its client ended before it committed")
        } else {
            _ = try? await journal.abandoned(row.id, reason: "its client ended before it wrote anything")
        }
    }

    // MARK: Outcomes

    /// What became of an operation of this client.
    package func outcome(
        _ session: Session, _ operation: String
    ) async throws -> DocumentsInterface.Outcome.Reply {
        guard let row = try await journal.outcome(operation, session.principal) else {
            return .init(state: "unknown")
        }
        let state =
            switch row.state {
            case .open: "open"
            case .staged: "committed"
            case .published, .moveSourcePending, .uploaded, .finished: "finished"
            case .failed, .abandoned, .recovered: "failed"
            }
        return .init(state: state, message: row.reason, reference: row.itemKey?.reference)
    }

    /// The source of a move is gone, or was kept (W Move (g)).
    package func moveFinished(_ session: Session, _ operation: String, removed: Bool, reason: String?) async throws {
        let row = try await row(session, operation)
        guard row.kind == .move else { throw Failure(.invalidArgument, "\(operation) is no move.") }
        let done = try await journal.moveSourceFinished(row.id)
        if done.state == .published || done.state == .uploaded { _ = try await journal.finished(row.id) }
    }

    private func row(_ session: Session, _ operation: String) async throws -> JournaledOperation {
        guard let row = try await journal.outcome(operation, session.principal) else {
            throw Failure(.notFound, "There is no operation \(operation).", suggestion: "Begin a new one.")
        }
        return row
    }

    // MARK: After a restart

    /// Write sessions cannot be taken up again by descriptor, so what they staged is kept as recovered versions.
    package func recoverOpenSessions() async {
        for row in (try? await journal.pending()) ?? [] where row.state == .open {
            await keep(row)
        }
    }
}
