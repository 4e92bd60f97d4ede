package import FoundationEssentials

/// What a user gives a client by a choice: how far, for how long, and what beside the document.
package struct GrantOffer: Hashable, Sendable {
    /// How far.
    package var access: AccessLevel
    /// What brought it about.
    package var origin: Grant.Origin
    /// Whether it lasts; else it ends with the client unless that takes it.
    package var isPersistent: Bool
    /// Whether the client may take it.
    package var isPersistable: Bool
    /// When it ends by itself; nil is never.
    package var expires: Date?
    /// Names beside the document that are covered too.
    package var companions: [CompanionPattern]
    /// Whether it is for a folder or package.
    package var isFolder: Bool
    /// What the document is called now, to be shown later.
    package var name: String?

    /// Makes an offer.
    package init(
        access: AccessLevel, origin: Grant.Origin, isPersistent: Bool = true, isPersistable: Bool = true,
        expires: Date? = nil, companions: [CompanionPattern] = [], isFolder: Bool = false,
        name: String? = nil
    ) {
        self.access = access
        self.origin = origin
        self.isPersistent = isPersistent
        self.isPersistable = isPersistable
        self.expires = expires
        self.companions = companions
        self.isFolder = isFolder
        self.name = name
    }
}
