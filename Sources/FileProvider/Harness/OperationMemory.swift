import Synchronization

/// Answers a repeated operation as before. Remembers the last thousand results and the running operations.
final class OperationMemory<Value: Sendable>: Sendable {
    private struct Entry {
        /// nil once it succeeded: a task keeps all the memory that it ever needed.
        var task: Task<Value, any Error>?
        var value: Value?
        var callers: [Int: TransferProgress] = [:]
    }

    private struct Running {
        var task: Task<Value, any Error>
        var caller: Int
        var isJoined: Bool
    }

    private struct State {
        var entries: [ChangeOperation: Entry] = [:]
        var order: [ChangeOperation] = []
        var callers = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int = 1_000) { self.capacity = capacity }

    /// Runs `body`, unless the operation succeeded before or is running. A failure is forgotten: the next attempt runs.
    /// Progress goes to all callers; the operation is cancelled when the last of them has gone.
    func run(
        _ operation: ChangeOperation, progress: TransferProgress = TransferProgress(),
        _ body: @escaping @Sendable (TransferProgress) async throws -> Value
    ) async throws -> Value {
        while true {
            let (value, running) = state.withLock { state -> (Value?, Running?) in
                if let value = state.entries[operation]?.value { return (value, nil) }
                state.callers += 1
                let everybody = TransferProgress { [weak self] in
                    await self?.tell(operation, $0, $1)
                } tell: { [weak self] completed, total in
                    for caller in self?.callers(of: operation) ?? [] { caller.note(completed: completed, total: total) }
                }
                let known = state.entries[operation]?.task
                let task = known ?? Task { try await body(everybody) }
                state.entries[operation, default: Entry(task: task)].callers[state.callers] = progress
                return (nil, Running(task: task, caller: state.callers, isJoined: known != nil))
            }
            if let value { return value }
            guard let running else { continue }
            let (task, caller) = (running.task, running.caller)
            do {
                let value = try await withTaskCancellationHandler {
                    try await task.value
                } onCancel: {
                    leave(operation, caller, task)
                }
                state.withLock { state in
                    // The callers that wait for the task hold it themselves.
                    state.entries[operation] = Entry(value: value)
                    remember(operation, &state)
                }
                return value
            } catch {
                state.withLock { if $0.entries[operation]?.task == task { $0.entries[operation] = nil } }
                // The earlier callers gave up before this one joined: their cancellation is no answer to it.
                guard running.isJoined, task.isCancelled, !Task.isCancelled else { throw error }
            }
        }
    }

    private func tell(_ operation: ChangeOperation, _ completed: Int, _ total: Int?) async {
        for progress in callers(of: operation) {
            // A caller that has gone must not end the operation for the others.
            try? await progress.report(completed: completed, total: total)
        }
    }

    private func callers(of operation: ChangeOperation) -> [TransferProgress] {
        state.withLock { Array($0.entries[operation]?.callers.values ?? [:].values) }
    }

    private func leave(_ operation: ChangeOperation, _ caller: Int, _ task: Task<Value, any Error>) {
        let isLast = state.withLock { state in
            guard state.entries[operation]?.task == task else { return true }
            state.entries[operation]?.callers[caller] = nil
            return state.entries[operation]?.callers.isEmpty ?? true
        }
        if isLast { task.cancel() }
    }

    private func remember(_ operation: ChangeOperation, _ state: inout State) {
        guard !state.order.contains(operation) else { return }
        state.order.append(operation)
        if state.order.count > capacity { state.entries[state.order.removeFirst()] = nil }
    }
}
