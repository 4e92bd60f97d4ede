import Testing

@testable import ExtensionHosting

/// Law 3: back-off and quarantine, as a pure decision.
@Suite struct CrashPolicyTests {
    @Test(
        "law 3: the decision follows from the times of past crashes",
        arguments: [
            ([], 100, .start), ([99.9], 100, .wait(0.1)), ([99], 100, .start), ([99, 99.9], 100, .wait(0.3)),
            ([99.9, 99], 100, .wait(0.3)), ([98, 99, 99.9], 100, .quarantine), ([41, 42, 43], 100, .quarantine),
            ([39, 98, 99], 100, .start), ([40, 98, 99], 100, .start), ([1, 2, 3], 100, .start),
            // After the clock was set back, future crashes do not count.
            ([200, 201, 202], 100, .start),
        ] as [([Double], Double, CrashPolicy.Decision)])
    func decides(_ crashes: [Double], _ now: Double, _ expected: CrashPolicy.Decision) {
        switch (CrashPolicy().decide(crashes: crashes, now: now), expected) {
        case (.wait(let seconds), .wait(let wanted)): #expect(abs(seconds - wanted) < 1e-6)
        case (let decision, _): #expect(decision == expected)
        }
    }

    @Test("law 3: each further crash doubles the delay, up to the maximum")
    func doubles() {
        var policy = CrashPolicy()
        policy.limit = 100
        let waits = (1...40).map { count -> Double in
            guard case .wait(let seconds) = policy.decide(crashes: Array(repeating: 0, count: count), now: 0) else {
                return 0
            }
            return seconds
        }
        #expect(waits.prefix(4) == [0.2, 0.4, 0.8, 1.6])
        #expect(waits.last == policy.longestDelay)
        #expect(waits == waits.sorted())
    }
}
