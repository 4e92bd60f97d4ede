/// How much of one thing its holders may have. Only numbers; ``PrincipalShares`` decides by them.
package struct ShareLimits: Sendable, Hashable {
    /// The limits of one kind of holder.
    package struct OfKind: Sendable, Hashable {
        /// What one of them may have.
        package var each: Int
        /// What all of them may have together. Where this is less than the total, the rest is kept for other kinds.
        package var together: Int

        /// Limits of a kind.
        package init(each: Int, together: Int) {
            self.each = each
            self.together = together
        }

        /// Nothing at all.
        package static let none = OfKind(each: 0, together: 0)
    }

    /// What all holders may have together.
    package var total: Int
    /// What unconfined programs may have.
    package var unconfined: OfKind
    /// What confined clients may have.
    package var confined: OfKind
    /// What processes may have that are not recognised yet.
    package var unrecognised: OfKind
    /// Whether a holder that has nothing may take more than ``OfKind/each`` at once: for bytes, whose single thing may
    /// be large.
    package var admitsOneLarge: Bool

    /// Limits of one thing.
    package init(
        total: Int, unconfined: OfKind, confined: OfKind, unrecognised: OfKind = .none, admitsOneLarge: Bool = false
    ) {
        self.total = total
        self.unconfined = unconfined
        self.confined = confined
        self.unrecognised = unrecognised
        self.admitsOneLarge = admitsOneLarge
    }

    /// The limits of a kind.
    package subscript(kind: ShareHolder.Kind) -> OfKind {
        switch kind {
        case .unconfined: unconfined
        case .confined: confined
        case .unrecognised: unrecognised
        }
    }
}
