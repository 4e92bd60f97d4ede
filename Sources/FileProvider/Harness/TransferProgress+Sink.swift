import DocentInterfaces
import Synchronization
import Varlink

extension TransferProgress {
    /// Sends progress as replies of a `Fetch`, ten a second at most.
    static func sending(to sink: ReplySink<FileProviderInterface.Fetch.Reply>) -> TransferProgress {
        let last = LastReport()
        return TransferProgress { completed, total in
            guard last.isDue() else { return }
            try await sink.send(Reply(.init(completedBytes: completed, totalBytes: total)))
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
