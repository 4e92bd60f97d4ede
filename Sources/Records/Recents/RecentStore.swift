package import FoundationEssentials
import GRDB
package import Rights

/// The documents that clients used last, and the favourites. Bounded by number and age; by identifier, so they survive
/// a rename and a move.
package struct RecentStore: Sendable {
    /// How many documents of one client are remembered.
    package static let mostOfClient = 100
    /// How many are remembered of all clients.
    package static let most = 2_000
    /// For how many seconds one is remembered.
    package static let longestSeconds = 180 * 24 * 3600.0
    /// How many favourites there can be.
    package static let mostFavourites = 1_000

    let database: HostDatabase

    /// Uses a database.
    package init(database: HostDatabase) { self.database = database }

    // MARK: Used documents

    /// Records uses, and forgets the oldest ones beyond the limits. The last uses may be lost in a power failure.
    package func add(_ uses: [DocumentUse], at now: Date = .now) async throws {
        let uses = uses.filter {
            $0.document.isStorable && $0.principal.kind != .unknown && $0.principal.identifier.isStorable
        }
        guard !uses.isEmpty else { return }
        try await database.writeRelearnable { database in
            for use in uses { try Self.add(database, use) }
            try Self.prune(database, at: now)
        }
    }

    private static func add(_ database: Database, _ use: DocumentUse) throws {
        let (principal, document) = (use.principal, use.document)
        try database.execute(
            sql: """
                INSERT INTO recent_use
                    (principal_kind, principal_id, provider, domain, item, name, content_type, is_folder, used)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
                WHERE NOT EXISTS (SELECT 1 FROM unrecorded_client WHERE client IN (?2, ''))
                ON CONFLICT (principal_kind, principal_id, provider, domain, item) DO UPDATE SET
                    name = excluded.name, content_type = excluded.content_type, is_folder = excluded.is_folder,
                    used = max(used, excluded.used)
                """,
            arguments: [
                principal.kind.rawValue, principal.identifier, document.key.provider, document.key.domain,
                document.key.identifier, document.name, document.contentType, document.isFolder,
                use.moment.milliseconds,
            ])
    }

    private static func prune(_ database: Database, at now: Date) throws {
        try database.execute(
            sql: "DELETE FROM recent_use WHERE used < ?",
            arguments: [now.addingTimeInterval(-longestSeconds).milliseconds])
        try database.execute(
            sql: """
                DELETE FROM recent_use WHERE id IN (
                    SELECT id FROM (
                        SELECT id, row_number() OVER (
                            PARTITION BY principal_kind, principal_id ORDER BY used DESC, id DESC) AS place
                        FROM recent_use)
                    WHERE place > ?)
                """,
            arguments: [mostOfClient])
        try database.execute(
            sql: """
                DELETE FROM recent_use WHERE id IN (
                    SELECT id FROM recent_use ORDER BY used DESC, id DESC LIMIT -1 OFFSET ?)
                """,
            arguments: [most])
    }

    /// The last use of each document, newest first.
    ///
    /// - Parameters:
    ///   - principal: only what this client used.
    ///   - client: only what clients with this identifier used.
    package func all(of principal: Principal? = nil, client: String? = nil) async throws -> [DocumentUse] {
        let condition = Self.condition(principal, client)
        return try await database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT *, max(used) FROM recent_use\(condition.sql) GROUP BY provider, domain, item
                    ORDER BY used DESC, id DESC
                    """,
                arguments: condition.arguments
            ).map(DocumentUse.init(row:))
        }
    }

    /// Forgets uses: of some documents or, with nil, of all; by all clients, or by one as in ``all(of:client:)``.
    ///
    /// - Returns: how many records were removed.
    @discardableResult
    package func forget(
        _ keys: [ItemKey]?, of principal: Principal? = nil, client: String? = nil
    ) async throws -> Int {
        try await database.write { database in
            guard let keys else {
                let condition = Self.condition(principal, client)
                try database.execute(
                    sql: "DELETE FROM recent_use\(condition.sql)", arguments: condition.arguments)
                return database.changesCount
            }
            var count = 0
            for key in keys {
                var condition = Self.condition(principal, client)
                condition.require(key)
                try database.execute(
                    sql: "DELETE FROM recent_use\(condition.sql)", arguments: condition.arguments)
                count += database.changesCount
            }
            return count
        }
    }

    private static func condition(_ principal: Principal?, _ client: String?) -> Condition {
        var condition = Condition()
        if let principal { condition.require(principal) }
        if let client { condition.require("principal_id = ?", client) }
        return condition
    }

    // MARK: Clients of which nothing is recorded

    /// The identifiers of the clients of which nothing is recorded; ``DocumentUses/everyone`` stands for all.
    package func unrecorded() async throws -> Set<String> {
        try await database.read { try String.fetchSet($0, sql: "SELECT client FROM unrecorded_client") }
    }

    /// Stops or resumes recording what a client uses. Stopping also forgets what was recorded of it.
    ///
    /// - Parameter client: ``DocumentUses/everyone`` for all clients.
    package func setRecorded(_ isRecorded: Bool, client: String) async throws {
        guard client.isStorable else { return }
        try await database.write { database in
            guard !isRecorded else {
                return try database.execute(
                    sql: "DELETE FROM unrecorded_client WHERE client = ?", arguments: [client])
            }
            try database.execute(
                sql: "INSERT OR IGNORE INTO unrecorded_client (client) VALUES (?)", arguments: [client])
            try database.execute(
                sql: "DELETE FROM recent_use WHERE principal_id = ?1 OR ?1 = ''", arguments: [client])
        }
    }
}
