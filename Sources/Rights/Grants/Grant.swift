package import FoundationEssentials
package import GRDB

/// The right of one principal to one document, to a folder with everything that is in it now, or to a package (G7).
package struct Grant: Hashable, Sendable, Codable, Identifiable {
    /// How a grant came about; more values may be added.
    package struct Origin: RawRepresentable, Hashable, Sendable, Codable {
        /// The value, as stored and shown.
        package let rawValue: String
        /// Makes an origin from its value.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The user opened the document in a picker.
        package static let open = Origin(rawValue: "open")
        /// The client moved the document to the provider.
        package static let move = Origin(rawValue: "move")
        /// The client wrote the document at a location.
        package static let write = Origin(rawValue: "write")
        /// The client read the document at a location.
        package static let cat = Origin(rawValue: "cat")
        /// A bookmark was resolved.
        package static let bookmark = Origin(rawValue: "bookmark")
        /// The user gave the right without a request from the client.
        package static let administration = Origin(rawValue: "administration")
    }

    /// A number that is never reused in one database.
    package let id: Int64
    /// The client that holds the right.
    package let principal: Principal
    /// The document or folder.
    package let item: ItemKey
    /// The access that is allowed.
    package let access: AccessLevel
    /// The origin of the access; for a widened grant, that of the widening.
    package let origin: Origin
    /// When the grant was first given, in whole milliseconds.
    package let created: Date
    /// The requesting program of an unconfined client, for display to the user.
    package let executable: String?
    /// When the right expires, in whole milliseconds; nil for never.
    package let expires: Date?
    /// Whether the right persists; otherwise it ends with its client.
    package let isPersistent: Bool
    /// Whether its client may make it persistent.
    package let isPersistable: Bool
    /// Patterns for names beside the document that are also covered.
    package let companions: [CompanionPattern]
    /// Whether it was given for a folder or package. For display only: coverage depends on where items lie.
    package let isFolder: Bool
    /// The document's name when the right was given; set only by ``GrantStore/page(_:after:limit:)``, because it is not
    /// kept in memory.
    package let name: String?

    init(
        id: Int64, principal: Principal, item: ItemKey, access: AccessLevel, origin: Origin, created: Date,
        executable: String? = nil, expires: Date? = nil, isPersistent: Bool = true, isPersistable: Bool = true,
        companions: [CompanionPattern] = [], isFolder: Bool = false, name: String? = nil
    ) {
        self.id = id
        self.principal = principal
        self.item = item
        self.access = access
        self.origin = origin
        self.created = created
        self.executable = executable
        self.expires = expires
        self.isPersistent = isPersistent
        self.isPersistable = isPersistable
        self.companions = companions
        self.isFolder = isFolder
        self.name = name
    }

    /// Whether the right has expired by a moment.
    package func isExpired(at moment: Date) -> Bool { expires.map { $0 <= moment } ?? false }
}

extension Grant {
    /// The columns of a grant, in the order in which they are read.
    package static let columns = """
        id, principal_kind, principal_id, provider, domain, item, access, origin, created, executable, expires, \
        persistent, persistable, companions, is_folder, name
        """

    /// Reads a row of ``columns``; nil when this version cannot interpret the row, which then allows nothing.
    ///
    /// By position, for speed: at the start there may be a million.
    package init?(row: Row) {
        let principal = Principal(kind: Principal.Kind(stored: row[1]), identifier: row[2])
        guard principal.kind != .unknown, let access = AccessLevel(rawValue: row[6]) else { return nil }
        let companions: String? = row[13]
        let expires: Int64? = row[10]
        self.init(
            id: row[0], principal: principal, item: ItemKey(provider: row[3], domain: row[4], identifier: row[5]),
            access: access, origin: Origin(rawValue: row[7]), created: Date(milliseconds: row[8]), executable: row[9],
            expires: expires.map(Date.init(milliseconds:)), isPersistent: row[11], isPersistable: row[12],
            companions: companions.map(CompanionPattern.read) ?? [], isFolder: row[14], name: row[15])
    }

    /// The same right with other terms, or for another identifier of the same document.
    func with(
        item: ItemKey? = nil, access: AccessLevel? = nil, isPersistent: Bool? = nil, executable: String? = nil
    ) -> Grant {
        Grant(
            id: id, principal: principal, item: item ?? self.item, access: access ?? self.access, origin: origin,
            created: created, executable: executable ?? self.executable, expires: expires,
            isPersistent: isPersistent ?? self.isPersistent, isPersistable: isPersistable, companions: companions,
            isFolder: isFolder, name: name)
    }

    /// The grant after the user has offered a right that exists already; an offer never narrows it.
    func merged(with offer: GrantOffer, executable: String?) -> Grant {
        let isWider = offer.access > access
        return Grant(
            id: id, principal: principal, item: item, access: max(access, offer.access),
            origin: isWider ? offer.origin : origin, created: created, executable: executable ?? self.executable,
            expires: expires.flatMap { known in offer.expires.map { max(known, $0.stored) } },
            isPersistent: isPersistent || offer.isPersistent, isPersistable: isPersistable || offer.isPersistable,
            companions: companions + offer.companions.filter { !companions.contains($0) },
            isFolder: isFolder || offer.isFolder, name: offer.name ?? name)
    }
}
