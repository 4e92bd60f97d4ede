/// Whether and when a crashed extension may start again. Pure.
package struct CrashPolicy: Sendable {
    /// Crashes within ``window`` that put an extension into quarantine.
    package var limit = 3
    /// The window, in seconds.
    package var window: Double = 60
    /// The wait after a first crash, in seconds; doubled after each further one.
    package var firstDelay: Double = 0.2
    /// The longest wait, in seconds.
    package var longestDelay: Double = 10

    package init() {}

    /// What to do about the next start.
    package enum Decision: Sendable, Equatable {
        /// Start now.
        case start
        /// Wait this many seconds, then start.
        case wait(Double)
        /// Do not start until the user resets it.
        case quarantine
    }

    /// Decides from the times of past crashes (in seconds, any common origin), in any order.
    package func decide(crashes: [Double], now: Double) -> Decision {
        let recent = crashes.filter { $0 <= now && now - $0 < window }
        guard let last = recent.max() else { return .start }
        if recent.count >= limit { return .quarantine }
        let delay = min(longestDelay, firstDelay * Double(1 << min(recent.count - 1, 16)))
        let remaining = last + delay - now
        return remaining > 0 ? .wait(remaining) : .start
    }
}
