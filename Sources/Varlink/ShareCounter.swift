import Synchronization

/// ``PrincipalShares`` that several threads ask. Thread-safe.
package final class ShareCounter: Sendable {
    private let shares: Mutex<PrincipalShares>

    /// A counter of which nobody has anything yet.
    package init(_ limits: ShareLimits) { shares = Mutex(PrincipalShares(limits)) }

    /// Gives a holder so much more.
    ///
    /// - Throws: why not.
    package func take(_ amount: Int = 1, for holder: ShareHolder) throws(PrincipalShares.Refusal) {
        if let refusal = shares.withLock({ $0.take(amount, for: holder) }) { throw refusal }
    }

    /// Takes back what a holder no longer has.
    package func give(_ amount: Int = 1, of holder: ShareHolder) {
        shares.withLock { $0.give(amount, of: holder) }
    }

    /// Counts what a holder has as another's.
    ///
    /// - Throws: why not; then nothing has changed.
    package func hand(
        _ amount: Int = 1, from old: ShareHolder, to new: ShareHolder
    ) throws(PrincipalShares.Refusal) {
        if let refusal = shares.withLock({ $0.hand(amount, from: old, to: new) }) { throw refusal }
    }

    /// What a holder has.
    package func amount(of holder: ShareHolder) -> Int { shares.withLock { $0.amount(of: holder) } }

    /// What all have together.
    package var taken: Int { shares.withLock { $0.taken } }
}
