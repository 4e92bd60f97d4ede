package import DocentInterfaces
import HostCore

/// Whether and when a failed transfer is tried again. Pure.
package struct RetryPolicy: Sendable {
    /// What to do about a failure.
    package enum Decision: Hashable, Sendable {
        /// Try again after this many seconds.
        case retry(after: Double)
        /// Wait until the domain is signed in.
        case pause
        /// Another attempt would be useless, or take longer than the waiter accepts.
        case fail
    }

    /// The result of a failed attempt.
    package struct Attempt: Sendable {
        package var failure: Failure
        /// Failed attempts since bytes were last gained, this one included: 1 or more.
        package var failures: Int
        /// Whether this attempt itself gained bytes.
        package var hasGained: Bool
        /// Whether the domain is known to be reachable and signed in.
        package var isDomainReady: Bool
        /// A random number, evenly distributed from 0 to 1.
        package var chance: Double

        package init(failure: Failure, failures: Int, hasGained: Bool, isDomainReady: Bool, chance: Double) {
            self.failure = failure
            self.failures = failures
            self.hasGained = hasGained
            self.isDomainReady = isDomainReady
            self.chance = chance
        }
    }

    /// Seconds between the attempts of an awaited download; there are no further attempts.
    package var patience: [Double] = [0.3, 1, 3]
    /// The longest `retryAfter` that a caller waits for, in seconds.
    package var longestPatience: Double = 5
    /// The first delay of a transfer that is not awaited, in seconds; doubled after each further failure.
    package var firstDelay: Double = 1
    /// The longest of these delays, in seconds.
    package var longestDelay: Double = 300
    /// The random variation of these delays, ±20 %, so that clients of one service do not all return at once.
    package var jitter: Double = 0.2

    package init() {}

    /// For a transfer that is not awaited: retried indefinitely while that may succeed.
    package func whenUnattended(_ attempt: Attempt) -> Decision {
        guard attempt.failure.kind.isTransient else { return .fail }
        guard attempt.failure.kind != .notAuthenticated else { return .pause }
        let doubled = firstDelay * Double(UInt64(1) << UInt64(min(max(attempt.failures, 1) - 1, 30)))
        let delay = min(longestDelay, doubled) * (1 + jitter * (2 * attempt.chance - 1))
        // A service that asks for more than a day is not believed.
        return .retry(after: max(delay, min(attempt.failure.retryAfter ?? 0, 86_400)))
    }

    /// For an awaited download: a few attempts in quick succession, then a clear error.
    package func whenAwaited(_ attempt: Attempt) -> Decision {
        let isWorthTrying =
            switch attempt.failure.kind {
            case .unreachable, .unavailable, .cancelled: attempt.isDomainReady
            // Without any bytes, the caller has already waited for a long time.
            case .silent: attempt.hasGained
            case .busy: (attempt.failure.retryAfter ?? 0) <= longestPatience
            // The caller is told at once.
            case .notAuthenticated, .deadlock, .expired: false
            case .missing, .unknownItem, .outdated, .taken, .conflicting, .full, .unsupported, .forbidden, .invalid,
                .failed:
                false
            }
        guard isWorthTrying, attempt.failures <= patience.count else { return .fail }
        return .retry(after: max(patience[max(attempt.failures, 1) - 1], attempt.failure.retryAfter ?? 0))
    }
}
