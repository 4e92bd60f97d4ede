import Synchronization

/// Notices when a call tells no progress for as long as its deadline. Signs of life without further bytes extend it
/// too, but not for ever: ten times as long at most. Thread-safe.
package final class ProgressWatch: Sendable {
    private struct State {
        var lastSign: ContinuousClock.Instant
        var lastGain: ContinuousClock.Instant
        var most: Int?
        var isSilent = false
        /// Until when a person may take to answer.
        var allowed: ContinuousClock.Instant?
    }

    private let deadline: Duration
    private let state: Mutex<State>

    init(deadline: Duration, now: ContinuousClock.Instant = .now) {
        self.deadline = deadline
        state = Mutex(State(lastSign: now, lastGain: now))
    }

    /// Notes a sign of progress.
    ///
    /// - Parameter completed: bytes that are there, where it says so.
    func note(_ completed: Int? = nil, now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.lastSign = now
            state.allowed = nil
            guard let completed, completed > state.most ?? -1 else { return }
            state.most = completed
            state.lastGain = now
        }
    }

    /// Lets the next sign take as long as a person may, who was asked something.
    package func allow(_ patience: Duration, now: ContinuousClock.Instant = .now) {
        state.withLock { $0.allowed = now + patience }
    }

    /// Notes that the person has answered: the provider has its usual time again.
    package func noteAnswer(now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.allowed = nil
            state.lastSign = now
            state.lastGain = now
        }
    }

    /// Whether the deadline passed without one.
    var isSilent: Bool { state.withLock { $0.isSilent } }

    /// When it is over, as things are.
    var end: ContinuousClock.Instant {
        state.withLock { state in
            let end = min(state.lastSign + deadline, state.lastGain + deadline * 10)
            return max(end, state.allowed ?? end)
        }
    }

    /// Returns when the deadline passed without progress, or when the task is cancelled.
    func waitForSilence() async {
        while !Task.isCancelled {
            let next = end
            if next <= .now {
                state.withLock { $0.isSilent = true }
                return
            }
            // It can come nearer meanwhile: a person answers before their time is over.
            try? await Task.sleep(until: min(next, .now + deadline), clock: .continuous)
        }
    }
}
