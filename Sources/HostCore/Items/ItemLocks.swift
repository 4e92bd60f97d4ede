package import Rights

/// The inner locks of the host: one per item, held while the host changes the item's files and records, so that such
/// changes never overlap (H5). First come, first served per item.
///
/// They are not the claims of clients (SEMANTICS 2.3). The coordination service grants claims, and locks are taken
/// within them: the holder of a lock never waits for a claim.
package actor ItemLocks {
    private struct Waiter {
        let number: UInt64
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// The locked items, each with its waiters in order of arrival.
    private var waiters: [ItemKey: [Waiter]] = [:]
    private var next: UInt64 = 0
    private let current: @Sendable (ItemKey) -> ItemKey

    /// - Parameter current: the current identifier of an item; called on this actor, so it must not block.
    package init(current: @escaping @Sendable (ItemKey) -> ItemKey = { $0 }) { self.current = current }

    /// Runs a body while the lock of an item is held. The lock follows the item: a caller that waited under an earlier
    /// identifier then waits for the current one too. Cancelling the task ends the wait, but not a running body.
    ///
    /// - Throws: `CancellationError` when the task was cancelled before it got the lock; what the body throws.
    package func withLock<Result: Sendable>(
        on key: ItemKey, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        var key = current(key)
        while true {
            try await acquire(key)
            let now = current(key)
            if now == key { break }
            // The item was moved during the wait.
            release(key)
            key = now
        }
        defer { release(key) }
        return try await body()
    }

    /// Runs a body while an item is locked under its identifier and under the one that the body gives it: whoever
    /// learns the new one meanwhile waits for the end of the body too.
    ///
    /// - Throws: as ``withLock(on:_:)``.
    package func withLock<Result: Sendable>(
        on key: ItemKey, becoming new: ItemKey, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        while true {
            let now = current(key)
            guard now != new else { return try await withLock(on: new, body) }
            let order = Self.inOrder([now, new])
            try await acquire(order[0])
            do { try await acquire(order[1]) } catch {
                release(order[0])
                throw error
            }
            defer { for key in order { release(key) } }
            // Otherwise the item was moved during the wait.
            if current(key) == now { return try await body() }
        }
    }

    /// The order in which several locks are taken, so that two callers never wait for each other.
    package static func inOrder(_ keys: some Sequence<ItemKey>) -> [ItemKey] {
        keys.sorted { $0.identifier.utf8.lexicographicallyPrecedes($1.identifier.utf8) }
    }

    /// Runs a body while the lock of exactly this identifier is held, whatever it refers to by then: for callers that
    /// take several locks and check again afterwards.
    ///
    /// - Throws: as ``withLock(on:_:)``.
    package func withExactLock<Result: Sendable>(
        on key: ItemKey, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await acquire(key)
        defer { release(key) }
        return try await body()
    }

    /// How many callers wait for exactly this identifier.
    package func waitingCount(of key: ItemKey) -> Int { waiters[key]?.count ?? 0 }

    private func acquire(_ key: ItemKey) async throws {
        guard waiters[key] != nil else {
            waiters[key] = []
            return
        }
        next += 1
        let number = next
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else if waiters[key] == nil {
                    // A task with a preferred executor may have been suspended here, and the lock have been released.
                    waiters[key] = []
                    continuation.resume()
                } else {
                    waiters[key, default: []].append(Waiter(number: number, continuation: continuation))
                }
            }
        } onCancel: {
            Task { await self.giveUp(number, on: key) }
        }
    }

    /// Hands the lock to the waiter that has waited longest.
    private func release(_ key: ItemKey) {
        guard let first = waiters[key]?.first else {
            waiters[key] = nil
            return
        }
        waiters[key]?.removeFirst()
        first.continuation.resume()
    }

    private func giveUp(_ number: UInt64, on key: ItemKey) {
        guard let index = waiters[key]?.firstIndex(where: { $0.number == number }) else { return }
        waiters[key]?.remove(at: index).continuation.resume(throwing: CancellationError())
    }
}
