import Synchronization

/// A bounded number of handles; who comes when all are in use waits in turn. The one used last is taken first, for its
/// warm connection.
package final class HandlePool: Sendable {
    private struct State {
        var idle: [HTTPHandle] = []
        var count = 0
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var ticket = 0
        var cancelled: Set<Int> = []
    }

    // What stays when nobody uses any: each has three descriptors, of which an extension has few for all its domains.
    private static let kept = 2

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: how many there may be.
    package init(limit: Int) { self.limit = limit }

    /// Runs the body with a handle of its own.
    ///
    /// - Throws: `CancellationError` when the task was cancelled while it waited, and what `body` throws.
    package func with<Value: Sendable>(_ body: (HTTPHandle) async throws -> Value) async throws -> Value {
        let handle = try await take()
        defer { give(handle) }
        return try await body(handle)
    }

    private func take() async throws -> HTTPHandle {
        while true {
            try Task.checkCancellation()
            if let handle = try reserve() { return handle }
            await waitForTurn()
        }
    }

    private func reserve() throws -> HTTPHandle? {
        let known: HTTPHandle? = try state.withLock { state in
            if let handle = state.idle.popLast() { return handle }
            guard state.count < limit else { return nil }
            let handle = try HTTPHandle()
            state.count += 1
            return handle
        }
        return known
    }

    private func waitForTurn() async {
        let ticket = state.withLock { state in
            state.ticket += 1
            return state.ticket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    if !state.idle.isEmpty || state.count < limit || state.cancelled.remove(ticket) != nil {
                        return true
                    }
                    state.waiting.append((ticket, continuation))
                    return false
                }
                if isFree { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
                    state.cancelled.insert(ticket)
                    return nil as CheckedContinuation<Void, Never>?
                }
                return state.waiting.remove(at: index).continuation
            }
            waiter?.resume()
        }
        // One that was woken to take a handle and was cancelled meanwhile passes its turn on.
        let next = state.withLock { state in
            state.cancelled.remove(ticket)
            return Task.isCancelled && !state.idle.isEmpty && !state.waiting.isEmpty
                ? state.waiting.removeFirst().continuation : nil
        }
        next?.resume()
    }

    private func give(_ handle: HTTPHandle) {
        // Those that go are closed after the lock: a connection may say farewell.
        let (next, surplus) = state.withLock { state in
            state.idle.append(handle)
            guard state.waiting.isEmpty else {
                return (Optional(state.waiting.removeFirst().continuation), [HTTPHandle]())
            }
            guard state.idle.count == state.count, state.count > Self.kept else { return (nil, []) }
            let surplus = Array(state.idle.dropLast(Self.kept))
            state.idle.removeFirst(surplus.count)
            state.count = Self.kept
            return (nil, surplus)
        }
        next?.resume()
        withExtendedLifetime(surplus) {}
    }
}
