import DocentInterfaces
import HostTesting
import Testing

@testable import Transfers

/// What is retried, and when.
@Suite struct RetryPolicyTests {
    private static func attempt(
        _ failure: Failure, _ failures: Int = 1, gained: Bool = false, ready: Bool = true, chance: Double = 0.5
    ) -> RetryPolicy.Attempt {
        RetryPolicy.Attempt(
            failure: failure, failures: failures, hasGained: gained, isDomainReady: ready, chance: chance)
    }

    @Test(
        "HAZARDS 2: transfers without a waiter are retried for ever, with growing delays, if the error may pass",
        arguments: [FailureCode.serverUnreachable, .busy, .unavailable, .deadlineExceeded, .cancelled])
    func backsOff(_ code: FailureCode) {
        let failure = Failure(code, "text")
        let delays = (1...60).map { number -> Double in
            guard case .retry(let delay) = RetryPolicy().whenUnattended(Self.attempt(failure, number)) else {
                return -1
            }
            return delay
        }
        #expect(delays.prefix(5) == [1, 2, 4, 8, 16])
        #expect(delays.last == 300)
        #expect(delays == delays.sorted())
    }

    @Test("delays vary by a fifth, so that retries spread out", arguments: [(0.0, 0.8), (0.5, 1.0), (1.0, 1.2)])
    func jitter(_ chance: Double, _ factor: Double) {
        let attempt = Self.attempt(TransferSupport.failure(.serverUnreachable), 3, chance: chance)
        guard case .retry(let delay) = RetryPolicy().whenUnattended(attempt) else {
            Issue.record("not retried")
            return
        }
        #expect(abs(delay - 4 * factor) < 1e-9)
    }

    @Test(
        "a permanent error ends the transfer at once, with or without waiters",
        arguments: [
            FailureCode.noSuchItem, .collision, .versionOutOfDate, .insufficientQuota, .notSupported, .notPermitted,
            .invalidArgument, .failed,
        ])
    func lasting(_ code: FailureCode) {
        let attempt = Self.attempt(TransferSupport.failure(code))
        #expect(RetryPolicy().whenUnattended(attempt) == .fail)
        #expect(RetryPolicy().whenAwaited(attempt) == .fail)
    }

    @Test("not signed in: an upload pauses, a waiter gets the error")
    func authentication() {
        let attempt = Self.attempt(TransferSupport.failure(.notAuthenticated))
        #expect(RetryPolicy().whenUnattended(attempt) == .pause)
        #expect(RetryPolicy().whenAwaited(attempt) == .fail)
    }

    @Test(
        "a waiter gets four attempts within some seconds",
        arguments: [(1, 0.3), (2, 1.0), (3, 3.0), (4, nil), (5, nil)] as [(Int, Double?)])
    func patience(_ failures: Int, _ delay: Double?) {
        let attempt = Self.attempt(TransferSupport.failure(.serverUnreachable), failures)
        #expect(RetryPolicy().whenAwaited(attempt) == delay.map { .retry(after: $0) } ?? .fail)
    }

    @Test("HAZARDS 6: an offline domain fails waiters at once, and never an upload")
    func offline() {
        let attempt = Self.attempt(TransferSupport.failure(.serverUnreachable), ready: false)
        #expect(RetryPolicy().whenAwaited(attempt) == .fail)
        #expect(RetryPolicy().whenUnattended(attempt) == .retry(after: 1))
    }

    @Test(
        "a busy service is asked again when it says, if that is soon",
        arguments: [
            (nil, .retry(after: 0.3)), (2, .retry(after: 2)), (5, .retry(after: 5)), (5.1, .fail), (3600, .fail),
        ] as [(Double?, RetryPolicy.Decision)])
    func busy(_ after: Double?, _ expected: RetryPolicy.Decision) {
        #expect(
            RetryPolicy().whenAwaited(Self.attempt(TransferSupport.failure(.busy, retryAfter: after))) == expected)
    }

    @Test(
        "an upload waits at least as long as the service says; nonsense is ignored",
        arguments: [(40.0, 40.0), (0.1, 1.0), (-5.0, 1.0), (1e12, 86_400.0)])
    func retryAfter(_ given: Double, _ delay: Double) {
        let attempt = Self.attempt(TransferSupport.failure(.busy, retryAfter: given))
        #expect(RetryPolicy().whenUnattended(attempt) == .retry(after: delay))
    }

    @Test("silence for a whole deadline ends the attempts of a waiter, unless bytes had arrived")
    func silence() {
        let failure = Failure(.deadlineExceeded, "text")
        #expect(RetryPolicy().whenAwaited(Self.attempt(failure)) == .fail)
        #expect(RetryPolicy().whenAwaited(Self.attempt(failure, gained: true)) == .retry(after: 0.3))
    }
}
