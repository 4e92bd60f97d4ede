/// Counts how much of a resource each holder has, and decides whether one may have more. Pure.
package struct PrincipalShares: Sendable {
    /// Why a holder may not have more.
    package enum Refusal: Error, Hashable, Sendable {
        /// The holder has its whole share, which is this much.
        case own(Int)
        /// The holders of its kind together have all that they may have, which is this much; the rest is reserved for
        /// others.
        case kind(Int)
        /// All of the resource is in use.
        case total(Int)
        /// The rest is reserved for administration.
        case reserved
    }

    /// The limits of the resource.
    package let limits: ShareLimits
    /// The amount that all holders have together.
    package private(set) var taken = 0
    private var holders: [ShareHolder: Int] = [:]
    private var kinds: [ShareHolder.Kind: Int] = [:]

    /// Creates shares with everything free.
    package init(_ limits: ShareLimits) { self.limits = limits }

    /// The amount that a holder has.
    package func amount(of holder: ShareHolder) -> Int { holders[holder] ?? 0 }

    /// The amount that the holders of a kind have together, as far as it counts toward their limit.
    package func amount(of kind: ShareHolder.Kind) -> Int { kinds[kind] ?? 0 }

    /// The reason why a holder may not have the additional amount; nil when it may.
    package func refusal(of amount: Int, to holder: ShareHolder) -> Refusal? {
        let own = limits[holder.kind]
        let has = self.amount(of: holder)
        // Uses subtraction, because amounts may be file sizes close to the largest integer.
        if amount > own.each - has {
            guard limits.admitsOneLarge, has == 0 else { return .own(own.each) }
            if self.amount(of: holder.kind) >= own.together { return .kind(own.together) }
            return taken < limits.total ? nil : .total(limits.total)
        }
        if amount > own.together - self.amount(of: holder.kind) { return .kind(own.together) }
        return amount > limits.total - taken ? .total(limits.total) : nil
    }

    /// Gives a holder an additional amount, or returns the reason why not.
    package mutating func take(_ amount: Int, for holder: ShareHolder) -> Refusal? {
        if let refusal = refusal(of: amount, to: holder) { return refusal }
        note(amount, of: holder)
        return nil
    }

    /// Counts an amount that a holder already has, even beyond its share.
    package mutating func note(_ amount: Int, of holder: ShareHolder) {
        let had = self.amount(of: holder)
        let has = Self.sum(had, amount)
        holders[holder] = has
        kinds[holder.kind] = Self.sum(self.amount(of: holder.kind), counted(has, holder) - counted(had, holder))
        taken = Self.sum(taken, amount)
    }

    /// Takes back an amount that a holder no longer has.
    package mutating func give(_ amount: Int, of holder: ShareHolder) {
        let had = self.amount(of: holder)
        let given = min(amount, had)
        holders[holder] = had > given ? had - given : nil
        kinds[holder.kind] = max(
            0, self.amount(of: holder.kind) - (counted(had, holder) - counted(had - given, holder)))
        taken = max(0, taken - given)
    }

    /// Transfers an amount to another holder, once the owner has been recognised. Nothing changes when this is refused.
    package mutating func hand(_ amount: Int, from old: ShareHolder, to new: ShareHolder) -> Refusal? {
        let before = self
        give(amount, of: old)
        guard let refusal = take(amount, for: new) else { return nil }
        self = before
        return refusal
    }

    // What counts for the kind of a holder that has an amount.
    private func counted(_ amount: Int, _ holder: ShareHolder) -> Int {
        limits.admitsOneLarge ? min(amount, limits[holder.kind].each) : amount
    }

    private static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }
}
