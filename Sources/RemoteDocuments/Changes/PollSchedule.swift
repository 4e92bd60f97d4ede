/// The time of a domain's next look for changes. Pure; times in seconds.
package struct PollSchedule: Hashable, Sendable {
    /// The longest pause.
    package static let longest = 600.0

    /// The pause after a change; 0 disables polling.
    package let base: Double
    /// The current pause, without jitter.
    package private(set) var pause: Double

    package init(base: Double) {
        self.base = base
        pause = base
    }

    /// Takes in the outcome of a look, and returns the pause before the next.
    ///
    /// - Parameters:
    ///   - changed: whether something had changed; nil when the provider could not be asked.
    ///   - jitter: -1 to 1. It changes the pause by at most a fifth, so that domains are not asked in step.
    package mutating func next(changed: Bool?, jitter: Double) -> Double {
        pause = changed == true ? base : min(max(pause, base) * 1.5, max(base, Self.longest))
        return pause * (1 + 0.2 * min(max(jitter, -1), 1))
    }

    /// Schedules the next look soon, because the domain is used again.
    package mutating func wake() { pause = base }
}
