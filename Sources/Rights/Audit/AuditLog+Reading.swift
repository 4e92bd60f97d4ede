package import FoundationEssentials
import GRDB

extension AuditLog {
    /// The newest entries that match, newest first.
    ///
    /// Counts of the last second may be missing; call ``flush()`` first if that matters.
    /// - Parameters:
    ///   - filter: its conditions on grants only are ignored.
    ///   - events: nil for all.
    ///   - start: omits entries that last happened before it.
    ///   - identifier: omits entries up to this one.
    ///   - limit: the most entries to return.
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

    /// The entries with these numbers that still exist, oldest first.
    package func entries(numbered numbers: [Int64]) async throws -> [AuditEntry] {
        let text = try JSONText.encode(numbers)
        return try await database.read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM audit WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
                arguments: [text]
            ).compactMap(AuditEntry.init(row:))
        }
    }

    /// When rights were last used; unused rights are missing.
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

    /// The names of items when a right to them last changed; items without such a change are missing.
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
