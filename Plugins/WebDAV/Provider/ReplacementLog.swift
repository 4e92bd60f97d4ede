import Synchronization

/// The names that we are replacing, or replaced a moment ago. Go's WebDAV server removes the old document before it
/// renames the new one, and a lookup in between must not report it as deleted.
final class ReplacementLog: Sendable {
    private struct State {
        var clock = 0
        var active: [RemotePath: Int] = [:]
        var ended: [(path: RemotePath, time: Int)] = []
    }

    private let state = Mutex(State())

    /// The current time of the log, to compare with later.
    var now: Int { state.withLock { $0.clock } }

    /// Runs the body, which replaces the resource at a path.
    func replacing<Value: Sendable>(_ path: RemotePath, _ body: () async throws -> Value) async throws -> Value {
        state.withLock { $0.active[path, default: 0] += 1 }
        defer {
            state.withLock { state in
                state.clock += 1
                let left = (state.active[path] ?? 1) - 1
                state.active[path] = left > 0 ? left : nil
                state.ended.append((path, state.clock))
                if state.ended.count > 256 { state.ended.removeFirst(64) }
            }
        }
        return try await body()
    }

    /// The paths in a folder that are being replaced now, or were at any moment since the given time.
    func touched(in folder: RemotePath, since time: Int) -> Set<RemotePath> {
        state.withLock { state in
            var result = Set(state.active.keys.filter { $0.parent == folder })
            for (path, end) in state.ended where end > time && path.parent == folder { result.insert(path) }
            return result
        }
    }
}
