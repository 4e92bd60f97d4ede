import GRDB
package import Rights

// Records for packing. None of them is needed to read a version.
extension KeptVersionStore {
    /// The next documents that have versions that were not examined for packing, in the order of their keys.
    ///
    /// - Parameter last: the document after which they come; nil for the first ones.
    package func documentsToPack(after last: ItemKey?, limit: Int) async throws -> [ItemKey] {
        try await database.read { database in
            var found: [ItemKey] = []
            var at = last ?? ItemKey(provider: "", domain: "", identifier: "")
            // One step of the index for each document.
            while found.count < limit {
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT provider, domain, item FROM kept_version
                        WHERE stored IS NULL AND standing = 'ordinary' AND size >= 65536
                            AND (provider, domain, item) > (?, ?, ?)
                        ORDER BY provider, domain, item LIMIT 1
                        """, arguments: [at.provider, at.domain, at.identifier])
                guard let row else { break }
                at = ItemKey(row: row)
                found.append(at)
            }
            return found
        }
    }

    /// The versions of a document that are large enough to be packed, oldest first: what saves have replaced. Packages
    /// are not packed.
    package func packable(of key: ItemKey) async throws -> [PackableVersion] {
        guard key.isStorable else { return [] }
        return try await database.read { database in
            var condition = Condition()
            condition.require(key)
            condition.require("standing = 'ordinary' AND size >= 65536 AND reason IN ('superseded', 'replaced')")
            condition.require("file NOT LIKE 'package-%'")
            return try Row.fetchAll(
                database,
                sql: """
                    SELECT id, size, stored, folder, file, operation FROM kept_version\(condition.sql)
                    ORDER BY created, id
                    """, arguments: condition.arguments
            ).map(PackableVersion.init(row:))
        }
    }

    /// Records that a version was examined, and what it takes by itself, in bytes. Lost with the power, it is examined
    /// again.
    package func examined(_ id: String, stored: Int64) async throws {
        guard id.isStorable else { return }
        try await database.writeRelearnable { database in
            try database.execute(sql: "UPDATE kept_version SET stored = ? WHERE id = ?", arguments: [stored, id])
        }
    }
}
