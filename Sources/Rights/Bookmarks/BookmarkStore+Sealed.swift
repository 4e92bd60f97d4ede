package import FoundationEssentials
import GRDB

extension BookmarkStore {
    /// The database's record of a sealed bookmark.
    package struct SealedRow: Hashable, Sendable {
        /// The client that made it.
        package let principal: Principal
        /// The document, under its present identifier.
        package let item: ItemKey
        /// Whether that identifier has changed since it was made.
        package let isStale: Bool
    }

    /// Creates the row of a sealed bookmark; durable when this returns. Equal bookmarks from one right share a row, so
    /// that a client that makes them repeatedly cannot fill the disk.
    ///
    /// - Parameters:
    ///   - grant: the right that it is made from, and with which it ends (I3).
    ///   - seal: the name of the key.
    /// - Returns: the row's name, and the document under its present identifier.
    /// - Throws: ``AccessError/notGranted`` when that right no longer exists or is narrower, ``HostDatabaseError``.
    package func makeRow(
        _ principal: Principal, _ item: ItemKey, _ access: AccessLevel, grant: Int64, seal: String,
        at moment: Date = .now
    ) async throws -> (row: Data, item: ItemKey) {
        try principal.requireKnown()
        guard item.isStorable else { throw AccessError.notGranted }
        return try await database.write { database in
            var condition = Condition()
            condition.require(principal)
            condition.require("id = ?", grant)
            // The table, not memory: a revocation may have been stored a moment ago.
            let granted = try String.fetchOne(
                database, sql: "SELECT access FROM grants\(condition.sql)", arguments: condition.arguments)
            guard let granted = granted.flatMap(AccessLevel.init(rawValue:)), granted >= access else {
                throw AccessError.notGranted
            }
            let item = try Self.current(database, item)
            let known = try Data.fetchOne(
                database,
                sql: """
                    SELECT id FROM bookmarks WHERE grant_id = ? AND provider = ? AND domain = ? AND item = ?
                        AND access = ? AND seal = ? AND stale = 0
                    """,
                arguments: [grant, item.provider, item.domain, item.identifier, access.rawValue, seal])
            if let known { return (known, item) }
            let row = Data(BookmarkCipher.randomBytes(BookmarkSeal.rowLength))
            try database.execute(
                sql: """
                    INSERT INTO bookmarks (id, secret, grant_id, access, created, seal, provider, domain, item)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    row, Data(), grant, access.rawValue, moment.milliseconds, seal, item.provider, item.domain,
                    item.identifier,
                ])
            return (row, item)
        }
    }

    /// The row with that name; nil when its right was revoked, or when it never existed.
    ///
    /// - Throws: ``HostDatabaseError``.
    package func row(_ name: Data) async throws -> SealedRow? {
        try await database.read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT bookmarks.stale, principal_kind, principal_id, bookmarks.provider, bookmarks.domain,
                        bookmarks.item
                    FROM bookmarks JOIN grants ON grants.id = grant_id WHERE bookmarks.id = ? AND seal IS NOT NULL
                    """,
                arguments: [name])
            return row.map { SealedRow(principal: Principal(row: $0), item: ItemKey(row: $0), isStale: $0["stale"]) }
        }
    }

    /// How many sealed bookmarks need a different key; nil counts all of them.
    package func sealedCount(except seal: String?) async throws -> Int {
        try await database.read { database in
            try Int.fetchOne(
                database, sql: "SELECT count(*) FROM bookmarks WHERE seal IS NOT NULL AND seal IS NOT ?",
                arguments: [seal]) ?? 0
        }
    }

    // A former identifier refers to the item until its provider uses it for another one.
    private static func current(_ database: Database, _ item: ItemKey) throws -> ItemKey {
        var identifier = item.identifier
        for _ in 0..<64 {
            let next = try String.fetchOne(
                database, sql: "SELECT target FROM item_alias WHERE provider = ? AND domain = ? AND item = ?",
                arguments: [item.provider, item.domain, identifier])
            guard let next else { break }
            identifier = next
        }
        return item.sibling(identifier)
    }
}
