/// Who has how much of one thing, and whether somebody may have more of it (T4). Pure.
package struct PrincipalShares: Sendable {
    /// Why somebody may not have more.
    package enum Refusal: Error, Hashable, Sendable {
        /// The holder has its whole share, of so much.
        case own(Int)
        /// Holders of its kind have together all that they may have, so much; the rest is kept for others.
        case kind(Int)
        /// Everything is taken.
        case total(Int)
        /// What is left is kept for administration.
        case reserved
    }

    /// How much there is.
    package let limits: ShareLimits
    /// How much all have together.
    package private(set) var taken = 0
    private var holders: [ShareHolder: Int] = [:]
    private var kinds: [ShareHolder.Kind: Int] = [:]

    /// Shares that nobody has taken of yet.
    package init(_ limits: ShareLimits) { self.limits = limits }

    /// What a holder has.
    package func amount(of holder: ShareHolder) -> Int { holders[holder] ?? 0 }

    /// What the holders of a kind have together.
    package func amount(of kind: ShareHolder.Kind) -> Int { kinds[kind] ?? 0 }

    /// Why a holder may not have so much more; nil when it may.
    package func refusal(of amount: Int, to holder: ShareHolder) -> Refusal? {
        let own = limits[holder.kind]
        let has = self.amount(of: holder)
        // By subtraction: amounts may be sizes of files, which can be close to the largest number there is.
        if amount > own.each - has {
            guard limits.admitsOneLarge, has == 0 else { return .own(own.each) }
            if self.amount(of: holder.kind) >= own.together { return .kind(own.together) }
            return taken < limits.total ? nil : .total(limits.total)
        }
        if amount > own.together - self.amount(of: holder.kind) { return .kind(own.together) }
        return amount > limits.total - taken ? .total(limits.total) : nil
    }

    /// Gives a holder so much more, or says why not.
    package mutating func take(_ amount: Int, for holder: ShareHolder) -> Refusal? {
        if let refusal = refusal(of: amount, to: holder) { return refusal }
        note(amount, of: holder)
        return nil
    }

    /// Counts what a holder has already, whatever its share.
    package mutating func note(_ amount: Int, of holder: ShareHolder) {
        holders[holder, default: 0] = Self.sum(holders[holder] ?? 0, amount)
        kinds[holder.kind, default: 0] = Self.sum(kinds[holder.kind] ?? 0, amount)
        taken = Self.sum(taken, amount)
    }

    /// Takes back what a holder no longer has.
    package mutating func give(_ amount: Int, of holder: ShareHolder) {
        let had = self.amount(of: holder)
        let given = min(amount, had)
        holders[holder] = had > given ? had - given : nil
        kinds[holder.kind] = max(0, self.amount(of: holder.kind) - given)
        taken = max(0, taken - given)
    }

    /// Counts what a holder has as another's from now on: who it is has become known. Nothing changes when that is
    /// refused.
    package mutating func hand(_ amount: Int, from old: ShareHolder, to new: ShareHolder) -> Refusal? {
        let before = self
        give(amount, of: old)
        guard let refusal = take(amount, for: new) else { return nil }
        self = before
        return refusal
    }

    private static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }
}
