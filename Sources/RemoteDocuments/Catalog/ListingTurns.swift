/// Processes one large listing of each provider at a time, which bounds the memory that listings use (T4, HAZARDS 11).
///
/// Small listings do not take a turn.
actor ListingTurns {
    /// The number of items from which a listing counts as large.
    static let largeCount = 2_000

    private var busy: Set<String> = []
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// Waits for the provider's turn. ``give(_:)`` ends the turn.
    func take(_ provider: String) async {
        guard !busy.insert(provider).inserted else { return }
        await withCheckedContinuation { continuation in
            // A task with a preferred executor may have been suspended here, and the turn have ended.
            if busy.insert(provider).inserted {
                continuation.resume()
            } else {
                waiting[provider, default: []].append(continuation)
            }
        }
    }

    /// Ends a turn and hands it to the caller that has waited longest.
    func give(_ provider: String) {
        guard var queue = waiting[provider], !queue.isEmpty else {
            busy.remove(provider)
            return
        }
        let next = queue.removeFirst()
        waiting[provider] = queue.isEmpty ? nil : queue
        next.resume()
    }
}
