import Synchronization

/// Answers an operation that is seen again as before: the last thousand results, and those that are under way.
final class OperationMemory<Value: Sendable>: Sendable {
    private struct State {
        var tasks: [ChangeOperation: Task<Value, any Error>] = [:]
        var order: [ChangeOperation] = []
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int = 1_000) { self.capacity = capacity }

    /// Runs `body`, unless the operation succeeded before or is under way. A failure is forgotten: the next attempt runs.
    func run(
        _ operation: ChangeOperation, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = state.withLock { state in
            if let known = state.tasks[operation] { return known }
            let task = Task { try await body() }
            state.tasks[operation] = task
            return task
        }
        do {
            let value = try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
            state.withLock { remember(operation, &$0) }
            return value
        } catch {
            state.withLock { if $0.tasks[operation] == task { $0.tasks[operation] = nil } }
            throw error
        }
    }

    private func remember(_ operation: ChangeOperation, _ state: inout State) {
        guard !state.order.contains(operation) else { return }
        state.order.append(operation)
        if state.order.count > capacity { state.tasks[state.order.removeFirst()] = nil }
    }
}
