import Synchronization

/// Runs one task at a time for each path. Tasks for different paths run at the same time.
///
/// A server that must not replace first looks and then moves: two requests at the same moment may both succeed.
/// Requests of this process are therefore sent one after the other.
final class PathTurns: Sendable {
    private let waiting = Mutex<[RemotePath: [CheckedContinuation<Void, Never>]]>([:])

    /// Runs the body when earlier tasks with the same path are done.
    func with<Value: Sendable>(_ path: RemotePath, _ body: () async throws -> Value) async throws -> Value {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting[path] == nil else {
                    waiting[path]?.append(continuation)
                    return false
                }
                waiting[path] = []
                return true
            }
            if isFree { continuation.resume() }
        }
        defer { leave(path) }
        try Task.checkCancellation()
        return try await body()
    }

    private func leave(_ path: RemotePath) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard waiting[path]?.isEmpty == false else {
                waiting[path] = nil
                return nil
            }
            return waiting[path]?.removeFirst()
        }
        next?.resume()
    }
}
