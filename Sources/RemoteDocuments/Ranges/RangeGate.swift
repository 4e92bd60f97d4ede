import Synchronization

/// How many ranges are fetched at a time: each needs a thread here, and room in its provider. Thread-safe.
package final class RangeGate: Sendable {
    private struct Waiter {
        let number: UInt64
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var running: [String: Int] = [:]
        var waiting: [String: [Waiter]] = [:]
        var last: UInt64 = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: the most for one provider.
    package init(limit: Int = 6) { self.limit = limit }

    /// Runs a fetch when its turn comes.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before; what the body throws.
    package func pass<Value: Sendable>(_ provider: String, _ body: () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        let hasTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state -> Bool? in
                    if state.running[provider, default: 0] < limit {
                        state.running[provider, default: 0] += 1
                        return true
                    }
                    if Task.isCancelled { return false }
                    state.waiting[provider, default: []].append(Waiter(number: number, continuation: continuation))
                    return nil
                }
                if let isFree { continuation.resume(returning: isFree) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.waiting[provider]?.firstIndex(where: { $0.number == number }) else {
                    return nil
                }
                return state.waiting[provider]?.remove(at: index)
            }
            waiter?.continuation.resume(returning: false)
        }
        guard hasTurn else { throw CancellationError() }
        defer { leave(provider) }
        return try await body()
    }

    private func leave(_ provider: String) {
        let next = state.withLock { state -> Waiter? in
            if state.waiting[provider]?.isEmpty == false { return state.waiting[provider]?.removeFirst() }
            state.waiting[provider] = nil
            state.running[provider, default: 1] -= 1
            if state.running[provider] == 0 { state.running[provider] = nil }
            return nil
        }
        next?.continuation.resume(returning: true)
    }
}
