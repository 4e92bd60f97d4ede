package import FoundationEssentials
import GRDB

extension BookmarkStore {
    /// What the database knows of a sealed bookmark.
    package struct SealedRow: Hashable, Sendable {
        /// Who made it.
        package let principal: Principal
        /// The document, under the identifier that it has now.
        package let item: ItemKey
        /// Whether that identifier is another one than when it was made (G5).
        package let isStale: Bool
    }

    /// Makes the row of a sealed bookmark, durable when this returns. Like bookmarks of one right share a row, so that
    /// a client that makes them again and again fills no disk.
    ///
    /// - Parameters:
    ///   - grant: the right that it is made from, with which it ends (I3).
    ///   - seal: the name of the key.
    /// - Returns: the row's name, and the document under the identifier that it has at this moment.
    /// - Throws: ``AccessError/notGranted`` when that right is not there any more or is less, ``IsolationError``.
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

    /// The row of that name; nil when its right was revoked, or when there never was one.
    ///
    /// - Throws: ``IsolationError``.
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

    /// How many sealed bookmarks another key than this one is needed for; nil for all.
    package func sealedCount(except seal: String?) async throws -> Int {
        try await database.read { database in
            try Int.fetchOne(
                database, sql: "SELECT count(*) FROM bookmarks WHERE seal IS NOT NULL AND seal IS NOT ?",
                arguments: [seal]) ?? 0
        }
    }

    // A former identifier stands for the item until its provider uses it for another one.
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
