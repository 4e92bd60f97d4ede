/// Lets one large listing at a time of each provider be taken in, so that what they take of memory has a bound (T4, HAZARDS 11).
///
/// A small listing asks for no turn.
actor ListingTurns {
    /// Items from which on a listing counts as large.
    static let largeCount = 2_000

    private var busy: Set<String> = []
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// Waits for the turn of a provider. ``give(_:)`` ends it.
    func take(_ provider: String) async {
        guard !busy.insert(provider).inserted else { return }
        await withCheckedContinuation { waiting[provider, default: []].append($0) }
    }

    /// Ends a turn; who has waited longest is next.
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
