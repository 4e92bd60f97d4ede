import FoundationEssentials
import GRDB
package import Rights

// What thinning reads: in small steps, so that no call waits for it.
extension KeptVersionStore {
    /// The room that ordinary versions take by themselves, in bytes, and their number. What packed ones share is not
    /// among it.
    package func space() async throws -> (bytes: Int64, versions: Int) {
        try await database.read { database in
            let row = try Row.fetchOne(database, sql: "SELECT bytes, versions FROM version_space")
            return (row?["bytes"] ?? 0, row?["versions"] ?? 0)
        }
    }

    /// The next documents that have ordinary versions, in the order of their keys.
    ///
    /// - Parameter last: the document after which they come; nil for the first ones.
    package func documents(after last: ItemKey?, limit: Int) async throws -> [ItemKey] {
        try await database.read { database in
            var found: [ItemKey] = []
            var at = last ?? ItemKey(provider: "", domain: "", identifier: "")
            // One step of the index for each document, however many versions it has.
            while found.count < limit {
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT provider, domain, item FROM kept_version
                        WHERE (provider, domain, item) > (?, ?, ?) ORDER BY provider, domain, item LIMIT 1
                        """, arguments: [at.provider, at.domain, at.identifier])
                guard let row else { break }
                at = ItemKey(row: row)
                found.append(at)
            }
            return found
        }
    }

    /// The ordinary versions of a document, oldest first.
    package func ordinary(of key: ItemKey) async throws -> [VersionThinning.Candidate] {
        guard key.isStorable else { return [] }
        return try await database.read { database in
            var condition = Condition()
            condition.require(key)
            condition.require("standing = 'ordinary'")
            return try Row.fetchAll(
                database, sql: "SELECT id, created, size FROM kept_version\(condition.sql) ORDER BY created, id",
                arguments: condition.arguments
            ).map { VersionThinning.Candidate(row: $0, next: nil) }
        }
    }

    /// The oldest ordinary versions of all documents, with the moment of the next version of the same document.
    package func oldest(_ limit: Int) async throws -> [VersionThinning.Candidate] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT id, created, size, (
                        SELECT min(next.created) FROM kept_version AS next
                        WHERE next.provider = kept.provider AND next.domain = kept.domain AND next.item = kept.item
                            AND next.created > kept.created) AS next
                    FROM kept_version AS kept WHERE standing = 'ordinary' ORDER BY created LIMIT ?
                    """, arguments: [limit]
            ).map { VersionThinning.Candidate(row: $0, next: ($0["next"] as Int64?).map(Date.init(milliseconds:))) }
        }
    }

    /// The places of versions, by their ids.
    package func places(of ids: [String]) async throws -> [(folder: String, file: String)] {
        try await database.read { database in
            try ids.compactMap { id in
                try Row.fetchOne(database, sql: "SELECT folder, file FROM kept_version WHERE id = ?", arguments: [id])
                    .map { ($0["folder"], $0["file"]) }
            }
        }
    }

    /// Those of some ids that no version has.
    package func unknown(of ids: [String]) async throws -> Set<String> {
        try await database.read { database in
            var result: Set<String> = []
            for id in ids
            where try
                !(Bool.fetchOne(
                    database, sql: "SELECT EXISTS (SELECT 1 FROM kept_version WHERE id = ?)", arguments: [id])
                ?? false)
            {
                result.insert(id)
            }
            return result
        }
    }

    // MARK: The clock

    /// When versions were thinned last by a clock that could be trusted, and since when another one has been shown.
    package func clock() async throws -> VersionClock {
        try await database.read { database in
            func moment(_ name: String) throws -> Date? {
                try String.fetchOne(database, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
                    .flatMap(Int64.init).map(Date.init(milliseconds:))
            }
            return VersionClock(trusted: try moment(Self.trusted), doubted: try moment(Self.doubted))
        }
    }

    /// Records that.
    package func set(_ clock: VersionClock) async throws {
        try await database.writeRelearnable { database in
            for (name, moment) in [(Self.trusted, clock.trusted), (Self.doubted, clock.doubted)] {
                if let moment {
                    try database.execute(
                        sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)",
                        arguments: [name, "\(moment.milliseconds)"])
                } else {
                    try database.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [name])
                }
            }
        }
    }

    private static let trusted = "versions thinned"
    private static let doubted = "versions clock"
}

extension VersionThinning.Candidate {
    fileprivate init(row: Row, next: Date?) {
        self.init(id: row["id"], created: Date(milliseconds: row["created"]), size: row["size"], next: next)
    }
}
