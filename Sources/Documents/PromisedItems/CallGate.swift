import Synchronization

/// Lets a few calls run side by side and the others wait for their turn, in their order. Thread-safe.
final class CallGate: Sendable {
    private struct Waiter {
        let number: UInt64
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var running = 0
        var waiting: [Waiter] = []
        var last: UInt64 = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: the most that run side by side.
    init(limit: Int) { self.limit = limit }

    /// Waits for a turn. Balance it with ``leave()`` if the answer is true.
    ///
    /// - Returns: false if the task is cancelled.
    func enter() async -> Bool {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    if state.running < limit {
                        state.running += 1
                        return true
                    }
                    state.waiting.append(Waiter(number: number, continuation: continuation))
                    return nil
                }
                if let isFree { continuation.resume(returning: isFree) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
                return state.waiting.remove(at: index)
            }
            waiter?.continuation.resume(returning: false)
        }
    }

    /// Passes the turn on.
    func leave() {
        let next = state.withLock { state -> Waiter? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.running -= 1
            return nil
        }
        next?.continuation.resume(returning: true)
    }
}
