import CLibSecret
import Dispatch

/// Runs blocking calls on their own threads, never on the cooperative pool, and answers them by their deadline.
enum BoundedCall {
    private static let timers = DispatchQueue(label: "org.docent.keyring.deadlines")

    /// Runs work on a queue. When the deadline passes or the task is cancelled, this throws; the work continues alone
    /// unless it observes the cancellable that it receives.
    static func run<Value: Sendable>(
        on queue: DispatchQueue, deadline: Duration,
        _ work: @escaping @Sendable (_ cancellable: UnsafeMutablePointer<GCancellable>?) -> Result<Value, KeyringError>
    ) async throws(KeyringError) -> Value {
        let answer = Answer<Value>()
        queue.async {
            guard answer.isOpen else { return }
            answer.give(work(answer.cancellable))
        }
        timers.asyncAfter(deadline: .now() + deadline.dispatchInterval) { [weak answer] in
            answer?.interrupt(.timedOut)
        }
        let outcome = await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            answer.interrupt(.cancelled)
        }
        return try outcome.get()
    }
}

extension Duration {
    fileprivate var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        return .milliseconds(Int(clamping: min(max(seconds, 0), 86_400) * 1000 + attoseconds / 1_000_000_000_000_000))
    }
}
