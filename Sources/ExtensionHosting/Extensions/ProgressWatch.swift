import HostCore
import Synchronization

/// Notices when a call reports no progress within its deadline. Signs of life without further bytes extend the deadline
/// too, but at most to ten times its length. Thread-safe.
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
    private let clock: any HostClock
    private let state: Mutex<State>

    init(deadline: Duration, clock: any HostClock = SystemClock(), now moment: ContinuousClock.Instant? = nil) {
        let now = moment ?? clock.now
        self.clock = clock
        self.deadline = deadline
        state = Mutex(State(lastSign: now, lastGain: now))
    }

    /// Records a sign of progress.
    ///
    /// - Parameter completed: completed bytes, if reported.
    func note(_ completed: Int? = nil, now moment: ContinuousClock.Instant? = nil) {
        let now = moment ?? clock.now
        state.withLock { state in
            state.lastSign = now
            state.allowed = nil
            guard let completed, completed > state.most ?? -1 else { return }
            state.most = completed
            state.lastGain = now
        }
    }

    /// Allows a person this much time to answer before the next sign is due.
    package func allow(_ patience: Duration, now: ContinuousClock.Instant? = nil) {
        state.withLock { $0.allowed = (now ?? clock.now) + patience }
    }

    /// Records that the person has answered: the provider has its usual time again.
    package func noteAnswer(now moment: ContinuousClock.Instant? = nil) {
        let now = moment ?? clock.now
        state.withLock { state in
            state.allowed = nil
            state.lastSign = now
            state.lastGain = now
        }
    }

    /// Whether the deadline passed without progress.
    var isSilent: Bool { state.withLock { $0.isSilent } }

    /// When the deadline ends, as things are.
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
            if next <= clock.now {
                state.withLock { $0.isSilent = true }
                return
            }
            // The end can move closer meanwhile, when a person answers early.
            try? await clock.sleep(until: min(next, clock.now + deadline))
        }
    }
}
