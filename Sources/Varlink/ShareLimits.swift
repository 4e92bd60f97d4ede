/// The limits of a resource. ``PrincipalShares`` applies them.
package struct ShareLimits: Sendable, Hashable {
    /// The limits of one kind of holder.
    package struct OfKind: Sendable, Hashable {
        /// The limit for each of them.
        package var each: Int
        /// The limit for all of them together. If it is less than the total, the rest is reserved for other kinds.
        package var together: Int

        /// Creates the limits of a kind.
        package init(each: Int, together: Int) {
            self.each = each
            self.together = together
        }

        /// No share at all.
        package static let none = OfKind(each: 0, together: 0)
    }

    /// The limit for all holders together.
    package var total: Int
    /// The limits for unconfined programs.
    package var unconfined: OfKind
    /// The limits for confined clients.
    package var confined: OfKind
    /// The limits for processes that are not recognised yet.
    package var unrecognised: OfKind
    /// Whether a holder that has nothing may take more than ``OfKind/each`` at once. For bytes, where a single file may
    /// be large. What it has beyond ``OfKind/each`` does not count toward ``OfKind/together``: one large file leaves
    /// the others of its kind their share.
    package var admitsOneLarge: Bool

    /// Creates the limits of a resource.
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
