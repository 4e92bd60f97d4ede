import DocentInterfaces
import Synchronization
import Varlink

extension TransferProgress {
    /// Sends progress as replies of a transfer, at most ten a second; none when the caller wants only one reply.
    static func sending<Value: VarlinkMessage>(
        to sink: ReplySink<Value>, _ call: IncomingCall, _ reply: @escaping @Sendable (Int, Int?) -> Value
    ) -> TransferProgress {
        guard call.wantsMore else { return TransferProgress() }
        let last = LastReport()
        return TransferProgress { completed, total in
            guard last.isDue() else { return }
            try await sink.send(Reply(reply(completed, total)))
        } tell: { completed, total in
            guard last.isDue() else { return }
            _ = try? sink.trySend(Reply(reply(completed, total)))
        }
    }

    private final class LastReport: Sendable {
        private let time = Mutex<ContinuousClock.Instant?>(nil)

        func isDue() -> Bool {
            time.withLock { time in
                let now = ContinuousClock.now
                if let time, now - time < .milliseconds(100) { return false }
                time = now
                return true
            }
        }
    }
}
