/// Requests that several callers make at the same time and that one call answers.
///
/// A caller that is cancelled or runs out of patience leaves alone. The call continues, bounded by its own deadline,
/// and its body stores the result.
package actor SharedCalls<Key: Hashable & Sendable, Value: Sendable> {
    private struct Call {
        var waiters: [UInt64: CheckedContinuation<Value?, any Error>] = [:]
    }

    private var calls: [Key: Call] = [:]
    private var next: UInt64 = 0

    package init() {}

    /// The answer to a request: from the running call, or from a new one.
    ///
    /// - Parameter patience: how long to wait at most; nil waits until the call ends.
    /// - Returns: nil when the patience ran out.
    /// - Throws: what the call throws, and `CancellationError`.
    package func value(
        for key: Key, patience: Duration? = nil, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        next += 1
        let ticket = next
        let timer = patience.map { patience in
            Task {
                try await Task.sleep(for: patience)
                self.leave(key, ticket, .success(nil))
            }
        }
        defer { timer?.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                let isFirst = calls[key] == nil
                calls[key, default: Call()].waiters[ticket] = continuation
                guard isFirst else { return }
                Task {
                    let result: Result<Value, any Error>
                    do { result = .success(try await body()) } catch { result = .failure(error) }
                    self.finish(key, result)
                }
            }
        } onCancel: {
            Task { await self.leave(key, ticket, .failure(CancellationError())) }
        }
    }

    /// How many callers wait for the answer to a request.
    package func waitingCount(for key: Key) -> Int { calls[key]?.waiters.count ?? 0 }

    private func leave(_ key: Key, _ ticket: UInt64, _ result: Result<Value?, any Error>) {
        calls[key]?.waiters.removeValue(forKey: ticket)?.resume(with: result)
    }

    private func finish(_ key: Key, _ result: Result<Value, any Error>) {
        guard let call = calls.removeValue(forKey: key) else { return }
        for waiter in call.waiters.values { waiter.resume(with: result.map { $0 }) }
    }
}
