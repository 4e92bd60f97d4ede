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

    let queue: DispatchQueue
    let channel: ClientChannel

    /// Runs the work. Throws its error, or `VarlinkError` with the code `cancelled`.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        let progress = Progress()
        let channel = channel
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    queue.async {
                        guard Self.start(progress) else {
                            return continuation.resume(throwing: Self.cancelled)
                        }
                        let result = Swift.Result { try work() }
                        Self.end(progress)
                        continuation.resume(with: result)
                    }
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
