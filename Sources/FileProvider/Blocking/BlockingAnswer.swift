import Synchronization

/// The result of a blocking call, for the one task that waits for it. The first answer counts, whether or not the task
/// waits already. Thread-safe.
final class BlockingAnswer<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, any Error>)
        case answered(Result<Value, any Error>)
        case over
    }

    private let state = Mutex(State.empty)

    /// Waits. To be called once.
    func wait(_ continuation: CheckedContinuation<Value, any Error>) {
        let result = state.withLock { state -> Result<Value, any Error>? in
            guard case .answered(let result) = state else {
                state = .waiting(continuation)
                return nil
            }
            state = .over
            return result
        }
        if let result { continuation.resume(with: result) }
    }

    /// Answers; later answers are ignored.
    func give(_ result: Result<Value, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .empty:
                state = .answered(result)
                return nil
            case .waiting(let continuation):
                state = .over
                return continuation
            case .answered, .over: return nil
            }
        }
        continuation?.resume(with: result)
    }
}
