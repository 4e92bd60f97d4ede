import Synchronization

/// Records the folders in which we are replacing a document. Most back ends remove the old document before they rename
/// the new one, and a lookup in between must not report it as deleted.
final class ReplacementWatch: Sendable {
    private struct Changes {
        var active = 0
        var count = 0
    }

    private let state = Mutex<[RemotePlace: Changes]>([:])

    /// Replaces, moves or removes an item in a folder.
    func changing<Value: Sendable>(in folder: RemotePlace, _ body: () async throws -> Value) async throws -> Value {
        state.withLock { $0[folder, default: Changes()].active += 1 }
        defer {
            state.withLock { state in
                state[folder, default: Changes()].active -= 1
                state[folder, default: Changes()].count += 1
            }
        }
        return try await body()
    }

    /// Repeats a look at a folder until the result is good or no replacement ran meanwhile. After five seconds the last
    /// look counts.
    func looking<Value: Sendable>(
        at folder: RemotePlace, until isGood: (Value) -> Bool, _ look: () async throws -> Value
    ) async throws -> Value {
        for _ in 0..<100 {
            let before = state.withLock { $0[folder]?.count ?? 0 }
            let value = try await look()
            if isGood(value) { return value }
            let (active, after) = state.withLock { ($0[folder]?.active ?? 0, $0[folder]?.count ?? 0) }
            if active == 0, before == after { return value }
            try await Task.sleep(for: .milliseconds(50))
        }
        return try await look()
    }
}
