import Synchronization

/// A limited number of handles. When all are in use, callers wait in order. The handle used last is taken first,
/// because its connection is most likely still open.
package final class HandlePool: Sendable {
    private struct State {
        var idle: [HTTPHandle] = []
        var count = 0
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var ticket = 0
        var cancelled: Set<Int> = []
    }

    // How many handles stay open when none is in use. Each has three descriptors, and an extension has few for all its
    // domains.
    private static let kept = 2

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The maximum number of handles.
    package init(limit: Int) { self.limit = limit }

    /// Runs the body with a handle that it alone uses.
    ///
    /// - Throws: `CancellationError` when the task was cancelled while it waited, and errors of `body`.
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
        // A caller that was woken and cancelled at the same time passes its turn on.
        let next = state.withLock { state in
            state.cancelled.remove(ticket)
            return Task.isCancelled && !state.idle.isEmpty && !state.waiting.isEmpty
                ? state.waiting.removeFirst().continuation : nil
        }
        next?.resume()
    }

    private func give(_ handle: HTTPHandle) {
        // Surplus handles are closed after the lock is released, because closing a connection may send bytes.
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
