import Synchronization

/// Notices when a call tells no progress for as long as its deadline. Thread-safe.
final class ProgressWatch: Sendable {
    private let deadline: Duration
    private let state: Mutex<(last: ContinuousClock.Instant, isSilent: Bool)>

    init(deadline: Duration) {
        self.deadline = deadline
        state = Mutex((.now, false))
    }

    /// Notes a sign of progress.
    func note() { state.withLock { $0.last = .now } }

    /// Whether the deadline passed without one.
    var isSilent: Bool { state.withLock { $0.isSilent } }

    /// Returns when the deadline passed without progress, or when the task is cancelled.
    func waitForSilence() async {
        while !Task.isCancelled {
            let next = state.withLock { $0.last } + deadline
            if next <= .now {
                state.withLock { $0.isSilent = true }
                return
            }
            try? await Task.sleep(until: next, clock: .continuous)
        }
    }
}
