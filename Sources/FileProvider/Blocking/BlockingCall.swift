import Synchronization

/// One blocking call, as its body sees it. Thread-safe.
public final class BlockingCall: Sendable {
    private struct State {
        var reason: (any Error)?
        var isRunning = false
    }

    private let state = Mutex(State())

    init() {}

    /// Whether no caller waits for it any more. Check this between the steps of a long call and before changing
    /// anything.
    public var isCancelled: Bool { reason != nil }

    /// Throws if no caller waits for the call any more.
    ///
    /// - Throws: `CancellationError`, or ``FileProviderError`` when the deadline has passed.
    public func checkCancellation() throws {
        if let reason { throw reason }
    }

    /// Why no caller waits any more; nil while one does.
    var reason: (any Error)? { state.withLock { $0.reason } }

    /// Runs the body, unless no caller waits any more.
    func run<Value>(_ body: (BlockingCall) throws -> Value) -> Result<Value, any Error> {
        let reason = state.withLock { state in
            state.isRunning = state.reason == nil
            return state.reason
        }
        if let reason { return .failure(reason) }
        defer { state.withLock { $0.isRunning = false } }
        return Result { try body(self) }
    }

    /// Records that no caller waits any more.
    ///
    /// - Returns: whether this is the first time.
    func end(_ error: any Error) -> Bool {
        state.withLock { state in
            guard state.reason == nil else { return false }
            state.reason = error
            return true
        }
    }

    /// Interrupts the body unless it has returned. Runs under the lock, so that the body cannot return meanwhile.
    func interrupt(_ body: () -> Void) {
        state.withLock { if $0.isRunning { body() } }
    }
}
