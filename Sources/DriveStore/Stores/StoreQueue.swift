import Dispatch

/// Runs blocking work on threads of its own, so that Swift's few threads never block.
final class StoreQueue: Sendable {
    private let queue: DispatchQueue

    init(_ label: String, isSerial: Bool = false) {
        queue = DispatchQueue(label: label, attributes: isSerial ? [] : .concurrent)
    }

    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(DriveError) -> Value
    ) async throws(DriveError) -> Value {
        let result: Result<Value, DriveError> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(DriveError) in try body() }) }
        }
        return try result.get()
    }
}
