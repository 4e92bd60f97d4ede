import FoundationEssentials
import GRDB
package import Rights

/// Records which versions are kept of which documents; the content is in `Versions`. Durable.
package struct KeptVersionStore: Sendable {
    private let database: HostDatabase

    /// Uses a database.
    package init(database: HostDatabase) {
        self.database = database
    }

    /// Records a version whose content is stored already. A version with the same id stays unchanged.
    package func add(_ version: KeptVersion) async throws {
        guard version.key.isStorable else { throw IndexError.unusableDescription }
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO kept_version
                        (id, provider, domain, item, name, reason, size, digest, created, folder, file, operation)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    version.id, version.key.provider, version.key.domain, version.key.identifier, version.name,
                    version.reason.rawValue, version.size, version.digest, version.created.milliseconds,
                    version.folder, version.file, version.operation,
                ])
        }
    }

    /// The versions of one document, or of all, oldest first.
    package func list(of key: ItemKey? = nil) async throws -> [KeptVersion] {
        if let key, !key.isStorable { return [] }
        var condition = Condition()
        if let key { condition.require(key) }
        return try await versions(condition)
    }

    /// The version with an id.
    package func version(_ id: String) async throws -> KeptVersion? {
        guard id.isStorable else { return nil }
        var condition = Condition()
        condition.require("id = ?", id)
        return try await versions(condition).first
    }

    /// Removes the record of a version. The caller removes the content afterwards.
    package func remove(_ id: String) async throws {
        guard id.isStorable else { return }
        try await database.write { database in
            try database.execute(sql: "DELETE FROM kept_version WHERE id = ?", arguments: [id])
        }
    }

    /// The number of versions kept because of conflicts, for each document that has any.
    package func counts(of keys: [ItemKey]) async throws -> [ItemKey: Int] {
        let wanted = Set(keys)
        guard !wanted.isEmpty else { return [:] }
        return try await database.read { database in
            // There are few versions in total: one pass over them costs less than a query for each document.
            let reasons = KeptVersion.Reason.allCases.filter(\.isConflict).map { "'\($0.rawValue)'" }
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT provider, domain, item, count(*) AS n FROM kept_version
                    WHERE reason IN (\(reasons.joined(separator: ", "))) GROUP BY 1, 2, 3
                    """)
            return Dictionary(
                uniqueKeysWithValues: rows.map { (ItemKey(row: $0), $0["n"] as Int) }
                    .filter { wanted.contains($0.0) })
        }
    }

    private func versions(_ condition: Condition) async throws -> [KeptVersion] {
        try await database.read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM kept_version\(condition.sql) ORDER BY created, id",
                arguments: condition.arguments
            ).map(KeptVersion.init(row:))
        }
    }
}
