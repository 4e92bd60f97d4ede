/// Somebody's wish to read or write some items without others getting in between, as it was asked for (SEMANTICS 2).
package struct Claim: Hashable, Sendable {
    /// The name of a claim; never used twice in one state.
    package struct Identifier: RawRepresentable, Hashable, Comparable, Sendable {
        /// The number itself.
        package let rawValue: UInt64

        /// Makes a name from a number that the caller keeps unique.
        package init(rawValue: UInt64) { self.rawValue = rawValue }

        /// The order of the numbers.
        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The name of who asks: a client's session, the connection of an extension, or the host itself. When it ends, all
    /// of its claims and presenters end.
    package struct Owner: RawRepresentable, Hashable, Comparable, Sendable {
        /// The number itself.
        package let rawValue: UInt64

        /// Makes a name from a number that the caller keeps unique.
        package init(rawValue: UInt64) { self.rawValue = rawValue }

        /// The order of the numbers.
        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The name of this claim.
    package let id: Identifier
    /// Whose claim it is.
    package let owner: Owner
    /// The purpose identifier (2.7): claims of one purpose never wait for each other. The caller fills in a unique one
    /// where the client set none, and one and the same for all claims with one presenter.
    package let purpose: String
    /// The presenter for which it is made; it is not told (2.4), but for news of versions.
    package let presenter: Presenter.Identifier?
    /// What is done to which items. Locations change when items are moved (2.5).
    package internal(set) var accesses: [ItemAccess]
    /// Whether presenters are only asked and nothing is claimed (2.6).
    package let prepares: Bool
    /// The enclosing claims, in whose access it is made, in any order.
    package let within: [Identifier]
    /// The messages during whose handling it is made.
    package let answering: [PresenterMessage.Identifier]
    /// The owner's thread that it blocks until it has ended.
    package let blockedThread: String?
    /// For a claim of a provider: the claim whose `provide` it is made in.
    package let during: Identifier?
    /// Whether it is made under the provider's own purpose identifier: it then goes ahead of the claim that it is made
    /// `during` (2.7; without it that is deadlock 5 of 2.9).
    package let hasProviderPurpose: Bool

    /// Describes a claim.
    package init(
        id: Identifier, owner: Owner, purpose: String, presenter: Presenter.Identifier? = nil, accesses: [ItemAccess],
        prepares: Bool = false, within: [Identifier] = [], answering: [PresenterMessage.Identifier] = [],
        blockedThread: String? = nil, during: Identifier? = nil, hasProviderPurpose: Bool = false
    ) {
        self.id = id
        self.owner = owner
        self.purpose = purpose
        self.presenter = presenter
        self.accesses = accesses
        self.prepares = prepares
        self.within = within
        self.answering = answering
        self.blockedThread = blockedThread
        self.during = during
        self.hasProviderPurpose = hasProviderPurpose
    }

    /// Whether it writes anything.
    package var isWriting: Bool { accesses.contains { $0.isWriting } }

    /// Whether something has to be fetched before it is granted, as far as that is missing (2.10).
    package var needsProvider: Bool { !prepares && accesses.contains { $0.needsProvider } }

    /// Whether the two may not be held at once (2.3).
    package func conflicts(with other: Claim) -> Bool {
        guard purpose != other.purpose, !prepares, !other.prepares else { return false }
        return accesses.contains { access in other.accesses.contains { access.conflicts(with: $0) } }
    }
}
