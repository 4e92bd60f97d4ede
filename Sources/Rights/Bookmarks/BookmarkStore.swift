package import FoundationEssentials
import GRDB

/// Persistent, opaque tokens for granted documents (G4 to G8).
///
/// A bookmark belongs to the grant that it was made from, so revoking that grant ends it (I3). It survives restart,
/// rename, eviction and reinstallation. A token is looked up by its random name, and its secret is compared in constant
/// time.
package struct BookmarkStore: Sendable {
    let database: HostDatabase

    /// Makes a store in an open database.
    package init(database: HostDatabase) {
        self.database = database
    }

    /// Makes a bookmark; durable when this returns.
    ///
    /// - Parameter access: at most the granted access.
    /// - Returns: the token, URL-safe, for the client to keep.
    /// - Throws: ``AccessError/notGranted``, ``AccessError/unrecognisedPrincipal``, ``HostDatabaseError``.
    package func create(
        _ principal: Principal, _ item: ItemKey, _ access: AccessLevel, at moment: Date = .now
    ) async throws -> String {
        try principal.requireKnown()
        guard item.isStorable else { throw AccessError.notGranted }
        let token = BookmarkToken.random()
        try await database.write { database in
            // The table, not memory: a revocation may have been stored a moment ago.
            let condition = Condition(principal: principal, item: item)
            let grant = try Row.fetchOne(
                database, sql: "SELECT \(Grant.columns) FROM grants\(condition.sql)", arguments: condition.arguments
            ).flatMap(Grant.init(row:))
            guard let grant, grant.access >= access else { throw AccessError.notGranted }
            try database.execute(
                sql: "INSERT INTO bookmarks (id, secret, grant_id, access, created) VALUES (?, ?, ?, ?, ?)",
                arguments: [token.name, token.secret, grant.id, access.rawValue, moment.milliseconds])
        }
        return token.text
    }

    /// Resolves a token.
    ///
    /// - Throws: ``AccessError/bookmarkUnusable`` for a token that is malformed, unknown, revoked or made for another
    ///   principal, without saying which; ``HostDatabaseError``.
    package func resolve(_ token: String, _ principal: Principal) async throws -> BookmarkResolution {
        guard let token = BookmarkToken(text: token) else { throw AccessError.bookmarkUnusable }
        return try await database.read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT bookmarks.secret, bookmarks.access, bookmarks.stale, principal_kind, principal_id,
                        grants.provider, grants.domain, grants.item
                    FROM bookmarks JOIN grants ON grants.id = grant_id WHERE bookmarks.id = ? AND seal IS NULL
                    """,
                arguments: [token.name])
            guard let row, token.hasSecret(row["secret"]), Principal(row: row) == principal,
                let access = AccessLevel(rawValue: row["access"])
            else { throw AccessError.bookmarkUnusable }
            return BookmarkResolution(item: ItemKey(row: row), access: access, isStale: row["stale"])
        }
    }
}
