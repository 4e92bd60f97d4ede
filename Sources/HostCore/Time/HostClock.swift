package import FoundationEssentials

/// The time, as the services know it: they ask it and wait by it, so that a test can let it pass.
package protocol HostClock: Sendable {
    /// The present moment, for measuring and waiting.
    var now: ContinuousClock.Instant { get }
    /// The date and time of day.
    var date: Date { get }

    /// Waits until a moment.
    ///
    /// - Parameter caller: who waits, for tests.
    /// - Throws: `CancellationError`.
    func sleep(until moment: ContinuousClock.Instant, caller: String) async throws
}

extension HostClock {
    /// Waits until a moment.
    ///
    /// - Throws: `CancellationError`.
    package func sleep(until moment: ContinuousClock.Instant, _ caller: String = #fileID) async throws {
        try await sleep(until: moment, caller: caller)
    }

    /// Waits for a time.
    ///
    /// - Throws: `CancellationError`.
    package func sleep(for duration: Duration, _ caller: String = #fileID) async throws {
        try await sleep(until: now + duration, caller: caller)
    }
}

/// The time of the machine.
package struct SystemClock: HostClock {
    package init() {}

    package var now: ContinuousClock.Instant { .now }
    package var date: Date { .now }

    package func sleep(until moment: ContinuousClock.Instant, caller: String) async throws {
        try await Task.sleep(until: moment, clock: .continuous)
    }
}
