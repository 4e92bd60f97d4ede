import HostCore
package import Records
import Synchronization
package import Varlink

/// The sessions of writing that are open, and those of an earlier daemon that their clients may take up again (D3).
/// Thread-safe.
package final class OpenWrites<Value: Sendable>: Sendable {
    private struct State {
        var sessions: [String: Value] = [:]
        var awaited: [String: JournaledOperation] = [:]
        var resuming: [String: Task<Value, any Error>] = [:]
        var shares = PrincipalShares(PrincipalLimits.writes)
        var holders: [String: ShareHolder] = [:]
    }

    private enum Found { case open(Value), resuming(Task<Value, any Error>), nothing }

    /// How long after a restart a client may take up its sessions, in seconds; 0 is not at all.
    package let resumeSeconds: Double
    private let state = Mutex(State())

    package init(resumeSeconds: Double) { self.resumeSeconds = resumeSeconds }

    /// The open session of an operation, taken up again if an earlier daemon began it; nil when there is none.
    ///
    /// - Parameter resume: opens the staged file anew; run once, however many ask at the same time.
    /// - Throws: what `resume` throws; the session then still waits.
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

    /// Takes one of its principal's sessions for an operation that is about to begin. It counts until ``remove(_:)``;
    /// once, however often it is taken.
    ///
    /// - Throws: why not (T4).
    package func reserve(_ id: String, for holder: ShareHolder) throws(PrincipalShares.Refusal) {
        let refusal = state.withLock { state -> PrincipalShares.Refusal? in
            guard state.holders[id] == nil else { return nil }
            if let refusal = state.shares.take(1, for: holder) { return refusal }
            state.holders[id] = holder
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Gives back what ``reserve(_:for:)`` took for an operation whose session could not begin.
    package func release(_ id: String) {
        state.withLock { state in
            guard state.sessions[id] == nil, let holder = state.holders.removeValue(forKey: id) else { return }
            state.shares.give(1, of: holder)
        }
    }

    /// Why a holder may not begin a session of so many bytes beside those that are open; nil when it may (T4).
    ///
    /// - Parameter size: how many bytes a session's staged files have now.
    package func refusal(
        of bytes: Int, to holder: ShareHolder, limits: ShareLimits, size: (Value) -> Int
    ) -> PrincipalShares.Refusal? {
        guard limits[holder.kind].each < .max else { return nil }
        let open = state.withLock { state in
            state.sessions.compactMap { id, session in state.holders[id].map { ($0, session) } }
        }
        var shares = PrincipalShares(limits)
        for (owner, session) in open where owner.kind == holder.kind {
            // A client writes as much as it likes into what it has open: it counts in full.
            shares.note(size(session), of: owner)
        }
        return shares.refusal(of: bytes, to: holder)
    }

    /// Adds a session that has begun.
    package func add(_ id: String, _ session: Value) { state.withLock { $0.sessions[id] = session } }

    /// Removes a session that has ended.
    package func remove(_ id: String) {
        state.withLock { state in
            state.sessions[id] = nil
            if let holder = state.holders.removeValue(forKey: id) { state.shares.give(1, of: holder) }
        }
    }

    /// Keeps the operation of an earlier daemon for its client.
    package func await(_ row: JournaledOperation) { state.withLock { $0.awaited[row.id] = row } }

    /// Whether any operation is kept for its client.
    package var isAwaiting: Bool { state.withLock { !$0.awaited.isEmpty } }

    /// Takes the operations that no client came for.
    package func takeAwaited() -> [JournaledOperation] {
        state.withLock { state in
            defer { state.awaited = [:] }
            return Array(state.awaited.values)
        }
    }
}
