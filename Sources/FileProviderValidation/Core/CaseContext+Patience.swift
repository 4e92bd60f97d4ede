import DocentInterfaces

extension CaseContext {
    /// The default limit of ``whileBusy(for:_:)``, in seconds: a lock left by a killed process can last that long.
    package static let patience = 40.0

    /// Makes a call and repeats it as long as it is answered with `Busy`, which only means that it should be tried
    /// again.
    ///
    /// - Parameter limit: the limit in seconds; then the error is thrown.
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
                // As the host does: after the time that the service asked for, and not at once.
                let pause = min(max(problem.failure?.retryAfter ?? 0.3, 0.1), 10)
                try await Task.sleep(for: .seconds(pause))
            }
        }
    }
}
