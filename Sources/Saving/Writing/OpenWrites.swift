import HostCore
package import Records
import Synchronization
package import Varlink

/// The open write sessions, and those of an earlier daemon that their clients may resume (D3). Thread-safe.
package final class OpenWrites<Value: Sendable>: Sendable {
    private struct State {
        var sessions: [String: Value] = [:]
        var awaited: [String: JournaledOperation] = [:]
        var resuming: [String: Task<Value, any Error>] = [:]
        var shares: PrincipalShares
        var holders: [String: ShareHolder] = [:]
    }

    private enum Found { case open(Value), resuming(Task<Value, any Error>), nothing }

    /// How long after a restart a client may resume its sessions, in seconds; with 0 it cannot.
    package let resumeSeconds: Double
    private let state: Mutex<State>

    /// - Parameter limits: how many sessions a principal may have open.
    package init(resumeSeconds: Double, limits: ShareLimits) {
        self.resumeSeconds = resumeSeconds
        state = Mutex(State(shares: PrincipalShares(limits)))
    }

    /// The open session of an operation. A session of an earlier daemon is resumed; nil if there is none.
    ///
    /// - Parameter resume: reopens the staged file; runs once, even for simultaneous calls.
    /// - Throws: what `resume` throws; the session can then still be resumed.
    package func session(
        _ row: JournaledOperation, resume: @escaping @Sendable (JournaledOperation) async throws -> Value
    ) async throws -> Value? {
        let found = state.withLock { state -> Found in
            if let session = state.sessions[row.id] { return .open(session) }
            if let task = state.resuming[row.id] { return .resuming(task) }
            guard let waiting = state.awaited.removeValue(forKey: row.id) else { return .nothing }
            let task = Task { try await self.takeUp(waiting, resume) }
            state.resuming[row.id] = task
            return .resuming(task)
        }
        switch found {
        case .open(let session): return session
        case .resuming(let task): return try await task.value
        case .nothing: return nil
        }
    }

    private func takeUp(
        _ row: JournaledOperation, _ resume: @Sendable (JournaledOperation) async throws -> Value
    ) async throws -> Value {
        do {
            let session = try await resume(row)
            state.withLock { state in
                state.resuming[row.id] = nil
                state.sessions[row.id] = session
                // It counts like any other, even beyond the share: its client had it before the restart.
                if state.holders[row.id] == nil {
                    state.holders[row.id] = row.principal.shareHolder
                    state.shares.note(1, of: row.principal.shareHolder)
                }
            }
            return session
        } catch {
            state.withLock { state in
                state.resuming[row.id] = nil
                state.awaited[row.id] = row
            }
            throw error
        }
    }

    /// Reserves one of the holder's sessions for an operation that is about to begin. It counts once, however often it
    /// is reserved, until ``remove(_:)``.
    ///
    /// - Throws: the refusal (T4).
    package func reserve(_ id: String, for holder: ShareHolder) throws(PrincipalShares.Refusal) {
        let refusal = state.withLock { state -> PrincipalShares.Refusal? in
            guard state.holders[id] == nil else { return nil }
            if let refusal = state.shares.take(1, for: holder) { return refusal }
            state.holders[id] = holder
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Undoes ``reserve(_:for:)`` for an operation whose session could not begin.
    package func release(_ id: String) {
        state.withLock { state in
            guard state.sessions[id] == nil, let holder = state.holders.removeValue(forKey: id) else { return }
            state.shares.give(1, of: holder)
        }
    }

    /// What the open sessions have on the disk, by their holders.
    ///
    /// - Parameter bytes: returns the present number of bytes in a session's staged files.
    func holdings(_ bytes: (Value) -> UInt64) -> [StagingShares.Holding] {
        let open = state.withLock { state in
            state.sessions.compactMap { id, session in state.holders[id].map { (id, $0, session) } }
        }
        return open.map { StagingShares.Holding(session: $0, holder: $1, bytes: bytes($2)) }
    }

    /// Adds a session.
    package func add(_ id: String, _ session: Value) { state.withLock { $0.sessions[id] = session } }

    /// Removes a session that has ended.
    package func remove(_ id: String) {
        state.withLock { state in
            state.sessions[id] = nil
            if let holder = state.holders.removeValue(forKey: id) { state.shares.give(1, of: holder) }
        }
    }

    /// Keeps the operation of an earlier daemon for its client to resume.
    package func await(_ row: JournaledOperation) { state.withLock { $0.awaited[row.id] = row } }

    /// Whether any operation is kept for its client to resume.
    package var isAwaiting: Bool { state.withLock { !$0.awaited.isEmpty } }

    /// Removes and returns the operations that no client has resumed.
    package func takeAwaited() -> [JournaledOperation] {
        state.withLock { state in
            defer { state.awaited = [:] }
            return Array(state.awaited.values)
        }
    }
}
