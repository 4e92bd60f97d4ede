package import HostCore

/// The space of accounts, as their providers reported it last.
package actor AccountSpaces {
    private struct Known {
        var space: AccountSpace
        var asked: ContinuousClock.Instant
    }

    /// How long an answer is used without asking again.
    static let validity: Duration = .seconds(60)
    /// How long the provider may take when an earlier answer is known.
    static let patience: Duration = .seconds(1)
    /// More accounts than anybody has.
    private static let capacity = 1_000

    private let calls = SharedCalls<DomainKey, AccountSpace>()
    private let now: @Sendable () -> ContinuousClock.Instant
    private var known: [DomainKey: Known] = [:]
    /// Grows with each change of an account: an answer about the former one is not kept.
    private var changes: [DomainKey: Int] = [:]

    package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

    /// The space of an account: known for a minute at most, or asked for now. If the provider fails or is slow, the
    /// earlier answer counts.
    ///
    /// - Throws: what asking throws, if nothing is known yet.
    package func space(
        of domain: DomainKey, _ ask: @escaping @Sendable () async throws -> AccountSpace
    ) async throws -> AccountSpace {
        let earlier = known[domain]
        if let earlier, now() - earlier.asked < Self.validity { return earlier.space }
        let change = changes[domain, default: 0]
        do {
            let answer = try await calls.value(for: domain, patience: earlier.map { _ in Self.patience }) {
                let space = try await ask()
                await self.learn(space, of: domain, since: change)
                return space
            }
            if let answer { return answer }
        } catch {
            guard !(error is CancellationError), let left = known[domain] else { throw error }
            return left.space
        }
        return earlier?.space ?? AccountSpace()
    }

    /// Forgets what is known of an account that was changed or removed.
    package func forget(_ domain: DomainKey) {
        known[domain] = nil
        changes[domain, default: 0] += 1
    }

    private func learn(_ space: AccountSpace, of domain: DomainKey, since change: Int) {
        guard changes[domain, default: 0] == change else { return }
        if known.count >= Self.capacity { known = [:] }
        known[domain] = Known(space: space, asked: now())
    }
}
