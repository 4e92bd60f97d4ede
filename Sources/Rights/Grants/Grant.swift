package import FoundationEssentials
package import GRDB

/// The right of one principal to one document, to a folder with all that lies in it now, or to a package (G7).
package struct Grant: Hashable, Sendable, Codable, Identifiable {
    /// How a grant came about: an open set of words.
    package struct Origin: RawRepresentable, Hashable, Sendable, Codable {
        /// The word, as stored and shown.
        package let rawValue: String
        /// Makes an origin of a word.
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
        /// The user gave the right without being asked by the client.
        package static let administration = Origin(rawValue: "administration")
    }

    /// A number that is never used twice in one database.
    package let id: Int64
    /// Who may.
    package let principal: Principal
    /// Which document or folder.
    package let item: ItemKey
    /// How far.
    package let access: AccessLevel
    /// What brought the access about; that of the widening when the grant was widened.
    package let origin: Origin
    /// When the grant was first given, in whole milliseconds.
    package let created: Date
    /// The program that asked, for unconfined clients, to be shown to the user.
    package let executable: String?
    /// When the right ends by itself, in whole milliseconds; nil is never.
    package let expires: Date?
    /// Whether it was taken to last; else it ends with its client.
    package let isPersistent: Bool
    /// Whether its client may take it.
    package let isPersistable: Bool
    /// Which names beside the document are covered too.
    package let companions: [CompanionPattern]
    /// Whether it was given for a folder or package; to be shown, the coverage goes by where items lie.
    package let isFolder: Bool
    /// What the document was called when the right was given; only told by ``GrantStore/page(_:after:limit:)``, for it
    /// is not kept in memory.
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

    /// Whether the right has come to its end by a moment.
    package func isExpired(at moment: Date) -> Bool { expires.map { $0 <= moment } ?? false }
}

extension Grant {
    /// The columns of a grant, in the order in which they are read.
    package static let columns = """
        id, principal_kind, principal_id, provider, domain, item, access, origin, created, executable, expires, \
        persistent, persistable, companions, is_folder, name
        """

    /// Reads a row of ``columns``; nil when this version cannot tell what the row allows, which then allows nothing.
    ///
    /// By position: at start there may be a million.
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

    /// The same right with other terms, or to another identifier of the same document.
    func with(
        item: ItemKey? = nil, access: AccessLevel? = nil, isPersistent: Bool? = nil, executable: String? = nil
    ) -> Grant {
        Grant(
            id: id, principal: principal, item: item ?? self.item, access: access ?? self.access, origin: origin,
            created: created, executable: executable ?? self.executable, expires: expires,
            isPersistent: isPersistent ?? self.isPersistent, isPersistable: isPersistable, companions: companions,
            isFolder: isFolder, name: name)
    }

    /// What stands after the user has offered a right that exists already: nothing is ever narrowed by it.
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
