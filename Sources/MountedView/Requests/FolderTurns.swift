import Synchronization

/// Lets one change of a folder's names follow another. The kernel does so for those that programs make; the view makes
/// some itself (``Departures``). Thread-safe.
final class FolderTurns: Sendable {
    private struct State {
        /// The folders whose names are being changed, and who waits for them, in order.
        var waiting: [UInt64: [CheckedContinuation<Void, Never>]] = [:]
    }

    private let state = Mutex(State())

    /// Does something when it is the turn of all these folders.
    func run<Result>(_ folders: Set<UInt64>, _ body: () async throws -> Result) async rethrows -> Result {
        // All in the same order: nobody waits for somebody who waits for them.
        let folders = folders.sorted()
        for folder in folders { await begin(folder) }
        defer { for folder in folders { end(folder) } }
        return try await body()
    }

    private func begin(_ folder: UInt64) async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.waiting[folder] == nil else {
                    state.waiting[folder]?.append(continuation)
                    return false
                }
                state.waiting[folder] = []
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func end(_ folder: UInt64) {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting[folder]?.isEmpty == false else {
                state.waiting[folder] = nil
                return nil
            }
            return state.waiting[folder]?.removeFirst()
        }
        next?.resume()
    }
}
