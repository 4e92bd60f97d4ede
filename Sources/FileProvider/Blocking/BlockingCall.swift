import Synchronization

/// One call that blocks, as its body sees it. Thread-safe.
public final class BlockingCall: Sendable {
    private struct State {
        var reason: (any Error)?
        var isRunning = false
    }

    private let state = Mutex(State())

    init() {}

    /// Whether nobody waits for it any more: look between the parts of a longer work, and before anything is changed.
    public var isCancelled: Bool { reason != nil }

    /// Ends the body where nobody waits for it any more.
    ///
    /// - Throws: why: `CancellationError`, or ``FileProviderError`` when its time was over.
    public func checkCancellation() throws {
        if let reason { throw reason }
    }

    /// Why nobody waits for it any more; nil while somebody does.
    var reason: (any Error)? { state.withLock { $0.reason } }

    /// Runs the body, unless nobody waits for it any more.
    func run<Value>(_ body: (BlockingCall) throws -> Value) -> Result<Value, any Error> {
        let reason = state.withLock { state in
            state.isRunning = state.reason == nil
            return state.reason
        }
        if let reason { return .failure(reason) }
        defer { state.withLock { $0.isRunning = false } }
        return Result { try body(self) }
    }

    /// Nobody waits for it any more.
    ///
    /// - Returns: whether it is the first to say so.
    func end(_ error: any Error) -> Bool {
        state.withLock { state in
            guard state.reason == nil else { return false }
            state.reason = error
            return true
        }
    }

    /// Interrupts the body, unless it has returned: under the lock, so that it cannot return meanwhile.
    func interrupt(_ body: () -> Void) {
        state.withLock { if $0.isRunning { body() } }
    }
}
