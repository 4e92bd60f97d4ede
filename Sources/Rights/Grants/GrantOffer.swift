package import FoundationEssentials

/// The terms of a right that a user gives a client by a choice: access, duration, and companions.
package struct GrantOffer: Hashable, Sendable {
    /// The access that is allowed.
    package var access: AccessLevel
    /// The origin of the grant.
    package var origin: Grant.Origin
    /// Whether it persists; otherwise it ends with the client unless the client takes it.
    package var isPersistent: Bool
    /// Whether the client may make it persistent.
    package var isPersistable: Bool
    /// When it expires; nil for never.
    package var expires: Date?
    /// Patterns for names beside the document that are also covered.
    package var companions: [CompanionPattern]
    /// Whether it is for a folder or package.
    package var isFolder: Bool
    /// The document's present name, for later display.
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
