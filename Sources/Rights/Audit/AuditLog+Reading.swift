package import FoundationEssentials
import GRDB

extension AuditLog {
    /// The newest entries that match, newest first.
    ///
    /// What was counted within the last second may be missing; ``flush()`` first where that matters.
    /// - Parameters:
    ///   - filter: what it says of grants alone does not narrow.
    ///   - events: nil for all.
    ///   - start: leaves out what last happened before.
    ///   - identifier: leaves out entries up to this one.
    ///   - limit: the most entries to give.
    package func entries(
        _ filter: GrantFilter = GrantFilter(), events: Set<AuditEntry.Event>? = nil, since start: Date? = nil,
        after identifier: Int64? = nil, limit: Int = 100
    ) async throws -> [AuditEntry] {
        var condition = filter.condition
        if let start { condition.require("last >= ?", start.milliseconds) }
        if let identifier { condition.require("id > ?", identifier) }
        if let events {
            let names = events.map(\.rawValue).sorted()
            condition.require("event IN (SELECT value FROM json_each(?))", try JSONText.encode(names))
        }
        return try await database.read { [condition] database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM audit\(condition.sql) ORDER BY id DESC LIMIT ?",
                arguments: condition.arguments + [max(0, limit)]
            ).compactMap(AuditEntry.init(row:))
        }
    }

    /// The entries with these numbers that are still kept, oldest first.
    package func entries(numbered numbers: [Int64]) async throws -> [AuditEntry] {
        let text = try JSONText.encode(numbers)
        return try await database.read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM audit WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
                arguments: [text]
            ).compactMap(AuditEntry.init(row:))
        }
    }

    /// When rights were last used; those that never were are missing.
    package func lastUses(of grants: [Int64]) async throws -> [Int64: Date] {
        if grants.isEmpty { return [:] }
        let numbers = try JSONText.encode(grants)
        return try await database.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT grant_id, max(last) AS last FROM audit
                        WHERE grant_id IN (SELECT value FROM json_each(?)) AND event = 'opened' GROUP BY grant_id
                    """, arguments: [numbers])
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["grant_id"], Date(milliseconds: $0["last"])) })
        }
    }

    /// What items were called when a right to them last changed; those of which no right has changed are missing.
    package func names(of items: Set<ItemKey>) async throws -> [ItemKey: String] {
        if items.isEmpty { return [:] }
        return try await database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT name FROM audit WHERE provider = ? AND domain = ? AND item = ? AND name IS NOT NULL
                        ORDER BY id DESC LIMIT 1
                    """)
            var names: [ItemKey: String] = [:]
            for item in items where item.isStorable {
                names[item] = try String.fetchOne(
                    statement, arguments: [item.provider, item.domain, item.identifier])
            }
            return names
        }
    }
}
