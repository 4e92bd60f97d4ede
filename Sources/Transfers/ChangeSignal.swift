import Synchronization

/// Notifies any number of listeners of a change; changes that a listener has not yet seen are merged into one.
/// Thread-safe.
package final class ChangeSignal: Sendable {
    private struct State {
        var next = 0
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// A separate stream for each caller; it ends with the caller's task.
    package func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.next += 1
            state.listeners[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// Notifies all listeners.
    package func send() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
    }

    deinit {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
    }
}
