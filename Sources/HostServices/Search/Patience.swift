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
}
