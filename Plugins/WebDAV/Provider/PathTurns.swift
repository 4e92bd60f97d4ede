import Synchronization

/// Lets one task at a time do something with a path; others do theirs meanwhile with other paths.
///
/// A server that is told not to replace looks first and moves then: of two that come at the same moment both may
/// succeed (W8). Those of this process come one after the other.
final class PathTurns: Sendable {
    private let waiting = Mutex<[RemotePath: [CheckedContinuation<Void, Never>]]>([:])

    /// Runs the body when those before it with the same path are done.
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
