import Dispatch
import Synchronization

/// Runs blocking work on a connection's queue for a task. Cancelling the task while the work runs closes the channel,
/// which ends the work. If the work has not started, it is only dropped.
struct QueuedWork {
    private enum Phase {
        case waiting
        case running
        case ended
        case cancelled
    }

    private final class Progress: Sendable {
        let phase = Mutex(Phase.waiting)
    }

    /// Work until it is taken. What it keeps alive is released before the task goes on: its end may close a connection,
    /// which another call would be using by then.
    private final class Waiting<Result: Sendable>: Sendable {
        private let work: Mutex<(@Sendable () throws -> Result)?>

        init(_ work: @escaping @Sendable () throws -> Result) { self.work = Mutex(work) }

        func run(_ progress: Progress) -> Swift.Result<Result, any Error> {
            let work = work.withLock { work in
                defer { work = nil }
                return work
            }
            guard let work, start(progress) else { return .failure(cancelled) }
            defer { end(progress) }
            return Swift.Result { try work() }
        }
    }

    let queue: DispatchQueue
    let channel: ClientChannel

    /// Runs the work. Throws its error, or `VarlinkError` with the code `cancelled`.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        let progress = Progress()
        let channel = channel
        let waiting = Waiting(work)
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    queue.async { continuation.resume(with: waiting.run(progress)) }
                }
            } onCancel: {
                progress.phase.withLock { phase in
                    if phase == .running { channel.close() }
                    if phase != .ended { phase = .cancelled }
                }
            }
        } catch let error as VarlinkError where error.code == .closed && progress.phase.withLock({ $0 == .cancelled }) {
            throw Self.cancelled
        }
    }

    private static var cancelled: VarlinkError { VarlinkError(.cancelled, "The call was cancelled.") }

    private static func start(_ progress: Progress) -> Bool {
        progress.phase.withLock { phase in
            guard phase == .waiting else { return false }
            phase = .running
            return true
        }
    }

    private static func end(_ progress: Progress) {
        progress.phase.withLock { phase in
            if phase == .running { phase = .ended }
        }
    }
}
