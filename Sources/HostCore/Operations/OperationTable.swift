package import DocentInterfaces
package import Rights
import Synchronization

/// Running calls that can be cancelled by the name of their operation. Thread-safe.
package final class OperationTable: Sendable {
    private struct Key: Hashable {
        var principal: Principal
        var operation: String
    }

    private struct Running {
        var number: Int
        var cancel: @Sendable () -> Void
        var wait: @Sendable () async -> Void
    }

    private struct State {
        var running: [Key: Running] = [:]
        var begun = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Runs a body as an operation that ``cancel(_:_:)`` can end.
    ///
    /// - Throws: ``Failure`` `Cancelled` when it was cancelled before it committed; `InvalidArgument` for an invalid
    ///   name.
    package func run<Result: Sendable>(
        _ operation: String, _ principal: Principal, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try Self.check(operation)
        let key = Key(principal: principal, operation: operation)
        let task = Task { try await body() }
        let number = state.withLock { state in
            state.begun += 1
            state.running[key] = Running(
                number: state.begun, cancel: { task.cancel() }, wait: { _ = await task.result })
            return state.begun
        }
        // The same operation may have been started again meanwhile, after its first caller left.
        defer { state.withLock { if $0.running[key]?.number == number { $0.running[key] = nil } } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Cancels an operation of the same client.
    ///
    /// - Returns: whether it was running.
    package func cancel(_ operation: String, _ principal: Principal) -> Bool {
        let found = state.withLock { $0.running[Key(principal: principal, operation: operation)] }
        found?.cancel()
        return found != nil
    }

    /// Cancels an operation of the same client and waits for its end; returns at once when it is not running.
    package func end(_ operation: String, _ principal: Principal) async {
        let found = state.withLock { $0.running[Key(principal: principal, operation: operation)] }
        found?.cancel()
        await found?.wait()
    }

    /// How many operations are running.
    package var count: Int { state.withLock { $0.running.count } }

    /// A name must be usable as part of a file name.
    package static func check(_ operation: String) throws(Failure) {
        let fits =
            (1...64).contains(operation.utf8.count)
            && operation.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        guard fits else {
            throw Failure(
                .invalidArgument, "An operation name has 1 to 64 letters, digits, - or _.", suggestion: "Use a UUID."
            )
        }
    }
}
