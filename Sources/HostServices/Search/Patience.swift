import Synchronization

/// Waiting with an end.
enum Patience {
    /// Waits for a body, but not longer than some time; the body then continues by itself.
    ///
    /// - Returns: whether it was done in time.
    @discardableResult
    static func wait(_ patience: Duration, for body: @escaping @Sendable () async -> Void) async -> Bool {
        let (done, continuation) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingOldest(1))
        Task {
            await body()
            continuation.yield(true)
            continuation.finish()
        }
        let timer = Task {
            try? await Task.sleep(for: patience)
            continuation.yield(false)
            continuation.finish()
        }
        defer { timer.cancel() }
        for await isDone in done { return isDone }
        return false
    }

    /// Runs a body for as long as there is patience, which it uses up; the body then continues by itself.
    ///
    /// - Returns: nil if it was not done in time.
    static func answer<Value: Sendable>(
        within patience: inout Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error>? {
        guard patience > .zero else { return nil }
        let began = ContinuousClock.now
        let answer = Answer<Value>()
        await wait(patience) {
            do {
                await answer.set(.success(try await body()))
            } catch {
                await answer.set(.failure(error))
            }
        }
        patience -= ContinuousClock.now - began
        return await answer.result
    }

    private actor Answer<Value: Sendable> {
        var result: Result<Value, any Error>?

        func set(_ result: Result<Value, any Error>) { self.result = result }
    }
}
