package import DocentInterfaces
import HostCore

/// Whether and when a transfer that failed is tried again. Pure.
package struct RetryPolicy: Sendable {
    /// What to do about a failure.
    package enum Decision: Hashable, Sendable {
        /// Try again after so many seconds.
        case retry(after: Double)
        /// Wait until the domain is signed in.
        case pause
        /// Trying again is of no use, or the waiter has no patience for it.
        case fail
    }

    /// What an attempt came to.
    package struct Attempt: Sendable {
        package var failure: Failure
        /// Attempts that failed since bytes were gained, this one included: 1 or more.
        package var failures: Int
        /// Whether this attempt itself gained bytes.
        package var hasGained: Bool
        /// Whether the domain is known to be reachable and signed in.
        package var isDomainReady: Bool
        /// 0 to 1, evenly spread.
        package var chance: Double

        package init(failure: Failure, failures: Int, hasGained: Bool, isDomainReady: Bool, chance: Double) {
            self.failure = failure
            self.failures = failures
            self.hasGained = hasGained
            self.isDomainReady = isDomainReady
            self.chance = chance
        }
    }

    /// Seconds between the attempts of a download that somebody waits for: these, and no further ones.
    package var patience: [Double] = [0.3, 1, 3]
    /// The longest `retryAfter` that somebody waits for, in seconds.
    package var longestPatience: Double = 5
    /// The first delay of what nobody waits for, in seconds; doubled by each further failure.
    package var firstDelay: Double = 1
    /// The longest of these delays, in seconds.
    package var longestDelay: Double = 300
    /// How much these delays vary, so that clients of one service do not come back all at once: ±20 %.
    package var jitter: Double = 0.2

    package init() {}

    /// For what nobody waits for: tried for ever as long as that is worth it.
    package func whenUnattended(_ attempt: Attempt) -> Decision {
        switch Self.kind(attempt.failure) {
        case .authentication: return .pause
        case .lasting: return .fail
        case .cut, .busy, .silent, .untimely:
            let doubled = firstDelay * Double(UInt64(1) << UInt64(min(max(attempt.failures, 1) - 1, 30)))
            let delay = min(longestDelay, doubled) * (1 + jitter * (2 * attempt.chance - 1))
            // A service that asks for more than a day is not believed.
            return .retry(after: max(delay, min(attempt.failure.retryAfter ?? 0, 86_400)))
        }
    }

    /// For a download that somebody waits for: a few attempts, soon, and then a clear error.
    package func whenAwaited(_ attempt: Attempt) -> Decision {
        switch Self.kind(attempt.failure) {
        case .authentication, .lasting, .untimely: return .fail
        // It was waited for long already.
        case .silent where !attempt.hasGained: return .fail
        case .cut where !attempt.isDomainReady: return .fail
        case .busy where (attempt.failure.retryAfter ?? 0) > longestPatience: return .fail
        case .cut, .busy, .silent:
            guard attempt.failures <= patience.count else { return .fail }
            return .retry(after: max(patience[max(attempt.failures, 1) - 1], attempt.failure.retryAfter ?? 0))
        }
    }

    private enum Kind {
        case cut, busy, silent, untimely, authentication, lasting
    }

    private static func kind(_ failure: Failure) -> Kind {
        switch ProviderFailureKind(failure) {
        case .busy: .busy
        case .unreachable, .cancelled: .cut
        case .silent: .silent
        case .untimely: .untimely
        case .notAuthenticated: .authentication
        case .missing, .unknownItem, .outdated, .refused, .failed: .lasting
        }
    }
}
