package import FoundationEssentials
import GRDB

extension AuditLog {
    /// Removes entries that the retention does not keep.
    /// - Returns: how many entries were removed.
    @discardableResult
    package func prune(at now: Date = .now) async throws -> Int {
        try await prune(before: now - retention.days * 24 * 3600)
    }

    /// Removes entries that last happened before a moment, and all but the newest ones.
    /// - Parameter limit: the most counted entries to keep; nil for the retention's limit.
    /// - Returns: how many were removed.
    @discardableResult
    package func prune(before moment: Date, keeping limit: Int? = nil) async throws -> Int {
        let retention = retention
        return try await database.write { database in
            try database.execute(sql: "DELETE FROM audit WHERE last < ?", arguments: [moment.milliseconds])
            var removed = database.changesCount
            let isCounted = "event IN ('opened', 'refused', 'downloaded')"
            // First the excess of single clients, so that it does not displace other clients' entries.
            let clients = try Row.fetchAll(
                database,
                sql: """
                    SELECT principal_kind, principal_id FROM audit GROUP BY principal_kind, principal_id
                        HAVING count(*) > ?
                    """,
                arguments: [retention.countedOfClient])
            for client in clients {
                let arguments: StatementArguments = [client["principal_kind"], client["principal_id"]]
                removed += try Self.keepNewest(
                    database, "\(isCounted) AND principal_kind = ? AND principal_id = ?", retention.countedOfClient,
                    arguments: arguments)
            }
            removed += try Self.keepNewest(database, isCounted, limit ?? retention.counted)
            removed += try Self.keepNewest(database, "NOT \(isCounted)", retention.rights)
            return removed
        }
    }

    private static func keepNewest(
        _ database: Database, _ condition: String, _ limit: Int, arguments: StatementArguments = []
    ) throws -> Int {
        try database.execute(
            sql: """
                DELETE FROM audit WHERE \(condition)
                    AND id <= (SELECT id FROM audit WHERE \(condition) ORDER BY id DESC LIMIT 1 OFFSET ?)
                """,
            arguments: arguments + arguments + [max(0, limit)])
        return database.changesCount
    }
}
