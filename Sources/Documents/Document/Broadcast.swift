import Synchronization

/// Sends each element to any number of streams. Thread-safe.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var next = 0
        var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
    }

    private let state = Mutex(State())

    deinit {
        for listener in state.withLock({ $0.listeners.values }) { listener.finish() }
    }

    /// A new stream.
    ///
    /// - Parameter first: its first element.
    func stream(first: Element? = nil) -> AsyncStream<Element> {
        let (stream, listener) = AsyncStream.makeStream(of: Element.self)
        if let first { listener.yield(first) }
        let number = state.withLock { state in
            defer { state.next += 1 }
            state.listeners[state.next] = listener
            return state.next
        }
        listener.onTermination = { [weak self] _ in self?.forget(number) }
        return stream
    }

    /// Sends an element to every stream.
    func send(_ element: Element) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(element) }
    }

    private func forget(_ number: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: number) } }
}
