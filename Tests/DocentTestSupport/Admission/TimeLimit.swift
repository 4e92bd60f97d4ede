import Testing

/// How long an admitted test may take. Swift Testing's own limit counts the time in which a test waits to be admitted,
/// too.
enum TimeLimit {
    /// A test took longer than it may.
    struct Exceeded: Error, CustomStringConvertible {
        let limit: Duration
        var description: String { "it took longer than \(limit)" }
    }

    /// Runs `body`; after `limit` it is cancelled.
    ///
    /// - Throws: what `body` throws, or ``Exceeded``.
    static func run(_ limit: Duration, _ body: @Sendable () async throws -> Void) async throws {
        try await withoutActuallyEscaping(body) { body in
            try await withThrowingTaskGroup { group in
                group.addTask { try await body() }
                group.addTask {
                    try await Task.sleep(for: limit)
                    // Said at once, because a body that does not heed the cancellation never comes back.
                    Issue.record(Exceeded(limit: limit))
                    throw CancellationError()
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }
}
