package import DocentInterfaces
package import Isolation
import Synchronization

/// Calls that are running and can be cancelled by their operation's name (T3). Thread-safe.
package final class OperationTable: Sendable {
    private struct Key: Hashable {
        var principal: Principal
        var operation: String
    }

    private let running = Mutex<[Key: @Sendable () -> Void]>([:])

    package init() {}

    /// Runs a body as an operation that ``cancel(_:_:)`` can end.
    ///
    /// - Throws: ``Failure`` `Cancelled` when it was cancelled before it committed; `InvalidArgument` for a name that
    ///   cannot be one.
    package func run<Result: Sendable>(
        _ operation: String, _ principal: Principal, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try Self.check(operation)
        let key = Key(principal: principal, operation: operation)
        let task = Task { try await body() }
        running.withLock { $0[key] = { task.cancel() } }
        defer { running.withLock { _ = $0.removeValue(forKey: key) } }
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
        let cancel = running.withLock { $0[Key(principal: principal, operation: operation)] }
        cancel?()
        return cancel != nil
    }

    /// How many run.
    package var count: Int { running.withLock { $0.count } }

    /// A name must be usable as a part of a file's name.
    package static func check(_ operation: String) throws(Failure) {
        let fits = (1...64).contains(operation.utf8.count)
            && operation.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        guard fits else {
            throw Failure(
                .invalidArgument, "An operation's name has 1 to 64 letters, digits, - and _.", suggestion: "Use a UUID.")
        }
    }
}
