import DocentInterfaces

extension CaseContext {
    /// The longest that ``whileBusy(for:_:)`` goes on by itself, in seconds: a lock that a killed process left can last
    /// that long.
    package static let patience = 40.0

    /// Makes a call, and again as long as it is answered with `Busy`, which means no more than that: try it again.
    ///
    /// - Parameter limit: for how many seconds; then the error is thrown.
    /// - Throws: whatever the call throws.
    package func whileBusy<Value: Sendable>(
        for limit: Double = patience, _ call: () async throws -> Value
    ) async throws -> Value {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(limit)
        while true {
            do {
                return try await call()
            } catch let problem as CallProblem {
                guard problem.code == .busy, clock.now < end else { throw problem }
                // As the host would: not before it was asked for, and not at once.
                let pause = min(max(problem.failure?.retryAfter ?? 0.3, 0.1), 10)
                try await Task.sleep(for: .seconds(pause))
            }
        }
    }
}
