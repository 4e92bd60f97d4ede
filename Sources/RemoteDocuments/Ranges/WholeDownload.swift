import Synchronization

/// Thrown when a download from the start on was interrupted, because parts of its content are being read.
struct MadeWay: Error {}

/// Thrown instead of opening a content to read parts of it, when the whole of it has just come.
struct WholeIsHere: Error {}

/// A running download from the start on. Thread-safe.
final class WholeDownload: Sendable {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        var hasMadeWay = false
        var isComplete: Bool?
        var waiters: [CheckedContinuation<Bool, Never>] = []
    }

    private let state = Mutex(State())

    /// Runs the part of the download that may be interrupted.
    ///
    /// - Throws: ``MadeWay`` when it was interrupted by ``makeWay()``; what the body throws.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await body() }
        let isLate = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.hasMadeWay
        }
        if isLate { task.cancel() }
        defer { state.withLock { $0.cancel = nil } }
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
    ///
    /// - Returns: whether it was complete by then.
    func makeWay() async -> Bool {
        state.withLock { state in
            state.hasMadeWay = true
            return state.cancel
        }?()
        return await withCheckedContinuation { continuation in
            let isComplete = state.withLock { state in
                if state.isComplete == nil { state.waiters.append(continuation) }
                return state.isComplete
            }
            if let isComplete { continuation.resume(returning: isComplete) }
        }
    }

    /// The download has ended.
    func ended(isComplete: Bool) {
        let waiters = state.withLock { state in
            state.isComplete = isComplete
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: isComplete) }
    }
}
