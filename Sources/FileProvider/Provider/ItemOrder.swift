import Synchronization

/// Runs the calls about one item one after the other, in the order in which they arrive; calls about different items
/// run at the same time. A call that never ends holds up only its own item. Safe to use from any task.
///
/// A key is what stands for an item: its identifier, or its place on a server.
package final class ItemOrder<Key: Hashable & Sendable>: Sendable {
    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        /// The waiting calls of each item that has a running call.
        var waiting: [Key: [Waiter]] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Runs `body` when it is its turn.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before that; whatever `body` throws.
    package func run<Value: Sendable>(_ item: Key, _ body: () async throws -> Value) async throws -> Value {
        try await enter(item)
        defer { leave(item) }
        return try await body()
    }

    private func enter(_ item: Key) async throws {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    guard state.waiting[item] != nil else {
                        state.waiting[item] = []
                        return .success(())
                    }
                    state.waiting[item]?.append(Waiter(number: number, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting[item]?.firstIndex { $0.number == number }.flatMap { state.waiting[item]?.remove(at: $0) }
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private func leave(_ item: Key) {
        let next = state.withLock { state -> Waiter? in
            guard let waiters = state.waiting[item], !waiters.isEmpty else {
                state.waiting[item] = nil
                return nil
            }
            return state.waiting[item]?.removeFirst()
        }
        next?.continuation.resume()
    }
}
