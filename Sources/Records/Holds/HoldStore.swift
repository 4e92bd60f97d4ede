package import FoundationEssentials
import GRDB
package import Rights

/// The limit for changes in a minute, the clients that are held, and those that the user allowed to go on. Every change
/// is durable before its call returns.
package struct HoldStore: Sendable {
    private let database: HostDatabase

    /// Uses a database.
    package init(database: HostDatabase) { self.database = database }

    /// The limit that the user has set: 0 for none; nil if it was never set.
    package func limit() async throws -> Int? {
        try await database.read { try Int.fetchOne($0, sql: "SELECT documents FROM change_limit") }
    }

    /// Sets the limit: 0 for none.
    package func setLimit(_ documents: Int) async throws {
        try await database.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO change_limit (id, documents) VALUES (1, ?)", arguments: [documents])
        }
    }

    /// The clients that are held, in the order in which that happened.
    package func held() async throws -> [HeldClient] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM held_client ORDER BY since, principal_id").map { row in
                HeldClient(
                    principal: Principal(row: row), documents: row["documents"],
                    since: Date(milliseconds: row["since"]), isNoise: row["is_noise"])
            }
        }
    }

    /// Records that a client is held, unless it is already.
    package func hold(_ client: HeldClient) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO held_client (principal_kind, principal_id, documents, since, is_noise)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    client.principal.kind.rawValue, client.principal.identifier, client.documents,
                    client.since.milliseconds, client.isNoise,
                ])
        }
    }

    /// The moments until which clients may change any number of documents.
    ///
    /// - Parameter longest: the longest time from now, in seconds; what goes beyond it comes from a wrong clock.
    package func allowances(at now: Date, longest: Double) async throws -> [Principal: Date] {
        try await database.read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT * FROM change_allowance WHERE until > ? AND until <= ?",
                arguments: [now.milliseconds, now.addingTimeInterval(longest).milliseconds])
            return Dictionary(rows.map { (Principal(row: $0), Date(milliseconds: $0["until"])) }) { max($0, $1) }
        }
    }

    /// Records that a client may change any number of documents until a moment, and holds it no longer.
    package func allow(_ principal: Principal, until: Date, at now: Date) async throws {
        try await database.write { database in
            let client: StatementArguments = [principal.kind.rawValue, principal.identifier]
            try database.execute(
                sql: "DELETE FROM held_client WHERE principal_kind = ? AND principal_id = ?", arguments: client)
            try database.execute(
                sql: "DELETE FROM change_allowance WHERE until <= ?", arguments: [now.milliseconds])
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO change_allowance (principal_kind, principal_id, until) VALUES (?, ?, ?)
                    """,
                arguments: client + [until.milliseconds])
        }
    }
}
