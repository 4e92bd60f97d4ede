/// When a domain is asked for changes next. Pure; times in seconds.
package struct PollSchedule: Hashable, Sendable {
    /// The longest pause.
    package static let longest = 600.0

    /// The pause after a change; 0 never polls.
    package let base: Double
    /// The pause now, without jitter.
    package private(set) var pause: Double

    package init(base: Double) {
        self.base = base
        pause = base
    }

    /// Takes in what a look brought, and gives the pause before the next.
    ///
    /// - Parameters:
    ///   - changed: whether there was anything new; nil when the provider could not be asked.
    ///   - jitter: -1 to 1; it moves the pause by a fifth at most, so that domains do not ask in step.
    package mutating func next(changed: Bool?, jitter: Double) -> Double {
        pause = changed == true ? base : min(max(pause, base) * 1.5, max(base, Self.longest))
        return pause * (1 + 0.2 * min(max(jitter, -1), 1))
    }

    /// Somebody uses the domain again: the next look comes soon.
    package mutating func wake() { pause = base }
}
