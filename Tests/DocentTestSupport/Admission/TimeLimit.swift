import Testing

/// The time limit of an admitted test. Swift Testing's own limit includes the time before the test is admitted.
enum TimeLimit {
    /// A test took longer than its limit.
    struct Exceeded: Error, CustomStringConvertible {
        let limit: Duration
        var description: String { "it took longer than \(limit)" }
    }

    /// Runs `body`, and cancels it after `limit`.
    ///
    /// - Throws: what `body` throws, or ``Exceeded``.
    static func run(_ limit: Duration, _ body: @Sendable () async throws -> Void) async throws {
        try await withoutActuallyEscaping(body) { body in
            try await withThrowingTaskGroup { group in
                group.addTask { try await body() }
                group.addTask {
                    try await Task.sleep(for: limit)
                    // Recorded at once, because a body that ignores the cancellation never returns.
                    Issue.record(Exceeded(limit: limit))
                    throw CancellationError()
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }
}
