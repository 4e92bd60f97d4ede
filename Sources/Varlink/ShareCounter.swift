import Synchronization

/// ``PrincipalShares`` for use by several threads. Thread-safe.
package final class ShareCounter: Sendable {
    private let shares: Mutex<PrincipalShares>

    /// Creates a counter with everything free.
    package init(_ limits: ShareLimits) { shares = Mutex(PrincipalShares(limits)) }

    /// Gives a holder an additional amount.
    ///
    /// - Throws: the reason why it may not have it.
    package func take(_ amount: Int = 1, for holder: ShareHolder) throws(PrincipalShares.Refusal) {
        if let refusal = shares.withLock({ $0.take(amount, for: holder) }) { throw refusal }
    }

    /// Takes back an amount that a holder no longer has.
    package func give(_ amount: Int = 1, of holder: ShareHolder) {
        shares.withLock { $0.give(amount, of: holder) }
    }

    /// Transfers an amount to another holder.
    ///
    /// - Throws: the reason why it may not have it; nothing has changed.
    package func hand(
        _ amount: Int = 1, from old: ShareHolder, to new: ShareHolder
    ) throws(PrincipalShares.Refusal) {
        if let refusal = shares.withLock({ $0.hand(amount, from: old, to: new) }) { throw refusal }
    }

    /// The amount that a holder has.
    package func amount(of holder: ShareHolder) -> Int { shares.withLock { $0.amount(of: holder) } }

    /// The amount that all holders have together.
    package var taken: Int { shares.withLock { $0.taken } }
}
