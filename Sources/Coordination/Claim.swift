/// A request to read or write some items without others in between.
package struct Claim: Hashable, Sendable {
    /// The name of a claim; never used twice in the same state.
    package struct Identifier: RawRepresentable, Hashable, Comparable, Sendable {
        /// The number.
        package let rawValue: UInt64

        /// Creates a name from a number that the caller keeps unique.
        package init(rawValue: UInt64) { self.rawValue = rawValue }

        /// Compares the numbers.
        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The owner of claims and presenters: a client's session, the connection of an extension, or the host itself. When
    /// it ends, all of its claims and presenters end.
    package struct Owner: RawRepresentable, Hashable, Comparable, Sendable {
        /// The number.
        package let rawValue: UInt64

        /// Creates a name from a number that the caller keeps unique.
        package init(rawValue: UInt64) { self.rawValue = rawValue }

        /// Compares the numbers.
        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The claim's name.
    package let id: Identifier
    /// The claim's owner.
    package let owner: Owner
    /// The purpose identifier: claims with the same purpose never wait for each other. If the client set none, the
    /// caller supplies a unique one, which is the same for all claims with the same presenter.
    package let purpose: String
    /// The presenter on whose behalf it is made. It is notified only of changes to versions.
    package let presenter: Presenter.Identifier?
    /// The accesses. Their locations change when items are moved.
    package internal(set) var accesses: [ItemAccess]
    /// Whether it only asks presenters and claims nothing.
    package let prepares: Bool
    /// The claims within whose accesses it is made, in any order.
    package let within: [Identifier]
    /// The presenter messages that are being handled while it is made.
    package let answering: [PresenterMessage.Identifier]
    /// The owner's thread that it blocks until it has ended.
    package let blockedThread: String?
    /// For a provider's claim: the claim whose `provide` it is made for.
    package let during: Identifier?
    /// Whether it has the provider's own purpose identifier. It then goes ahead of the claim that it is made `during`;
    /// without that, the two would wait for each other.
    package let hasProviderPurpose: Bool

    /// Creates a claim.
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

    /// Whether it has a writing access.
    package var isWriting: Bool { accesses.contains { $0.isWriting } }

    /// Whether missing content must be fetched before it is granted.
    package var needsProvider: Bool { !prepares && accesses.contains { $0.needsProvider } }

    /// Whether the two cannot be held at the same time.
    package func conflicts(with other: Claim) -> Bool {
        guard purpose != other.purpose, !prepares, !other.prepares else { return false }
        return accesses.contains { access in other.accesses.contains { access.conflicts(with: $0) } }
    }
}
