import Synchronization

/// Thrown when a download from the start on was interrupted, because parts of its content are being read.
struct MadeWay: Error {}

/// A running download from the start on. Thread-safe.
final class WholeDownload: Sendable {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        var hasMadeWay = false
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Runs the download.
    ///
    /// - Throws: ``MadeWay`` when it was interrupted by ``makeWay()``.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await body() }
        let isLate = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.hasMadeWay
        }
        if isLate { task.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            if state.withLock({ $0.hasMadeWay }), !Task.isCancelled { throw MadeWay() }
            throw error
        }
    }

    /// Interrupts the download, and waits until it has recorded what it has.
    func makeWay() async {
        state.withLock { state in
            state.hasMadeWay = true
            return state.cancel
        }?()
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.hasEnded { state.waiters.append(continuation) }
                return state.hasEnded
            }
            if isOver { continuation.resume() }
        }
    }

    /// The download has ended, and what it has is recorded.
    func ended() {
        let waiters = state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
