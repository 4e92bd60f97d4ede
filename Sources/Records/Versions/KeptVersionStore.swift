import FoundationEssentials
import GRDB
package import Rights

/// Records which versions are kept of which documents; the content is in `Versions`. Durable.
package struct KeptVersionStore: Sendable {
    let database: HostDatabase

    /// Uses a database.
    package init(database: HostDatabase) {
        self.database = database
    }

    // MARK: Adding and removing

    /// Records a version whose content is stored already. A version with the same id stays unchanged.
    package func add(_ version: KeptVersion) async throws {
        guard version.key.isStorable else { throw IndexError.unusableDescription }
        try await database.write { try Self.add(version, to: $0) }
    }

    static func add(_ version: KeptVersion, to database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO kept_version
                    (id, provider, domain, item, name, reason, standing, size, digest, created, folder, file,
                    operation, saved_kind, saved_by, host, modified, content_version)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                version.id, version.key.provider, version.key.domain, version.key.identifier, version.name,
                version.reason.rawValue, version.standing.rawValue, version.size, version.digest,
                version.created.milliseconds, version.folder, version.file, version.operation,
                version.savedBy?.kind.rawValue, version.savedBy?.identifier, version.host,
                version.modified?.milliseconds, version.contentVersion,
            ])
    }

    /// Removes the record of a version. The caller removes the content afterwards.
    package func remove(_ id: String) async throws { try await remove([id]) }

    /// Removes the records of versions in one transaction. The caller removes their content afterwards.
    package func remove(_ ids: [String]) async throws {
        try await database.write { database in
            for id in ids where id.isStorable {
                try database.execute(sql: "DELETE FROM kept_version WHERE id = ?", arguments: [id])
            }
        }
    }

    /// Records that the user has settled conflicts: these versions of a document are ordinary ones from now on.
    /// Idempotent.
    ///
    /// - Returns: those that were not settled before, oldest first.
    package func settle(_ ids: Set<String>, of key: ItemKey) async throws -> [String] {
        guard key.isStorable else { return [] }
        return try await database.write { database in
            var condition = Condition()
            condition.require(key)
            condition.require("standing = 'conflict'")
            let open = try String.fetchAll(
                database, sql: "SELECT id FROM kept_version\(condition.sql) ORDER BY created, id",
                arguments: condition.arguments
            ).filter(ids.contains)
            for id in open {
                try database.execute(
                    sql: "UPDATE kept_version SET standing = 'ordinary' WHERE id = ?", arguments: [id])
            }
            return open
        }
    }

    /// Moves the versions of a document to its new identifier. Idempotent.
    package func rekey(_ key: ItemKey, to new: ItemKey) async throws {
        guard key.isStorable, new.isStorable, key != new else { return }
        try await database.write { database in
            var condition = Condition()
            condition.require(key)
            let values: StatementArguments = [new.provider, new.domain, new.identifier]
            for (verb, table) in [("UPDATE", "kept_version"), ("UPDATE OR REPLACE", "version_rule")] {
                try database.execute(
                    sql: "\(verb) \(table) SET provider = ?, domain = ?, item = ?\(condition.sql)",
                    arguments: values + condition.arguments)
            }
        }
    }

    // MARK: Reading

    /// The versions of one document, or of all, oldest first.
    ///
    /// - Parameter includingSuperseded: whether the content that saves replaced is listed too.
    package func list(of key: ItemKey? = nil, includingSuperseded: Bool = true) async throws -> [KeptVersion] {
        if let key, !key.isStorable { return [] }
        var condition = Condition()
        if let key { condition.require(key) }
        if !includingSuperseded { condition.require("reason <> 'superseded'") }
        return try await versions(condition)
    }

    /// The versions that the user has to decide about, of one document or of all, oldest first.
    package func conflicts(of key: ItemKey? = nil) async throws -> [KeptVersion] {
        if let key, !key.isStorable { return [] }
        var condition = Condition()
        if let key { condition.require(key) }
        condition.require("standing = 'conflict'")
        return try await versions(condition)
    }

    /// The version with an id.
    package func version(_ id: String) async throws -> KeptVersion? {
        guard id.isStorable else { return nil }
        var condition = Condition()
        condition.require("id = ?", id)
        return try await versions(condition).first
    }

    /// The number of unresolved conflicts of each document that has any.
    package func counts(of keys: [ItemKey]) async throws -> [ItemKey: Int] {
        let wanted = Set(keys)
        guard !wanted.isEmpty else { return [:] }
        return try await database.read { database in
            // There are few of them in total: one pass costs less than a query for each document.
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT provider, domain, item, count(*) AS n FROM kept_version
                    WHERE standing = 'conflict' GROUP BY 1, 2, 3
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
