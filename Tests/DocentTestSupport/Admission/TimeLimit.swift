import Testing

/// The time limit of an admitted test. Swift Testing's own limit includes the time before the test is admitted.
enum TimeLimit {
    /// A test took longer than its limit.
    struct Exceeded: Error, CustomStringConvertible {
        let limit: Duration
        var description: String { "it took longer than \(limit)" }
    }

    private enum Event {
        case ended((any Error)?)
        case expired
    }

    /// Runs `body`, and cancels it after `limit`.
    ///
    /// - Throws: what `body` throws. An ``Exceeded`` is recorded as an issue, because a body that ignores the
    ///   cancellation never returns; what a cancelled body throws says where it was.
    static func run(_ limit: Duration, _ body: @Sendable () async throws -> Void) async throws {
        try await withoutActuallyEscaping(body) { body in
            let failure = await withTaskGroup { group -> (any Error)? in
                group.addTask {
                    do {
                        try await body()
                        return Event.ended(nil)
                    } catch {
                        return .ended(error)
                    }
                }
                group.addTask {
                    try? await Task.sleep(for: limit)
                    if !Task.isCancelled { Issue.record(Exceeded(limit: limit)) }
                    return .expired
                }
                for await event in group {
                    group.cancelAll()
                    if case .ended(let error) = event { return error }
                }
                return nil
            }
            if let failure { throw failure }
        }
    }
}
