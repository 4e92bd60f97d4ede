package import Isolation
import Synchronization

/// The sessions of writing that are open, and those of an earlier daemon that their clients may take up again (D3). Thread-safe.
package final class OpenWrites<Value: Sendable>: Sendable {
    private struct State {
        var sessions: [String: Value] = [:]
        var awaited: [String: JournaledOperation] = [:]
        var resuming: [String: Task<Value, any Error>] = [:]
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

    /// Adds a session that has begun.
    package func add(_ id: String, _ session: Value) { state.withLock { $0.sessions[id] = session } }

    /// Removes a session that has ended.
    package func remove(_ id: String) { state.withLock { _ = $0.sessions.removeValue(forKey: id) } }

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
