package import FoundationEssentials
import GRDB

/// A version of a provider's that was saved here: whoever has it under its former name has the same content (HAZARDS 5).
package struct SentVersion: Hashable, Sendable {
    /// The document.
    package var key: ItemKey
    /// What its provider calls it.
    package var version: String
    /// What it was called here until the provider had it.
    package var former: String

    /// Names one.
    package init(key: ItemKey, version: String, former: String) {
        self.key = key
        self.version = version
        self.former = former
    }
}

extension ItemIndex {
    /// How many are remembered: one for each document, the latest.
    package static let sentVersionLimit = 20_000

    /// Records, as one, that the provider has the copy here, and what it was called before; durably.
    package func setLocal(_ copy: LocalCopy, sent: SentVersion, at moment: Date = .now) async throws {
        let key = sent.key
        guard key.isStorable, sent.version.isStorable, sent.former.isStorable else {
            return try await setLocal(key, copy)
        }
        try await database.write { database in
            try Self.setLocal(database, key, copy)
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO sent_version (provider, domain, item, version, former, at)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    key.provider, key.domain, key.identifier, sent.version, sent.former, moment.milliseconds,
                ])
        }
    }

    /// The latest of them, the oldest first; the others are forgotten.
    package func sentVersions(most limit: Int = sentVersionLimit) async throws -> [SentVersion] {
        try await database.write { database in
            try database.execute(
                sql: """
                    DELETE FROM sent_version WHERE at < (SELECT at FROM sent_version ORDER BY at DESC LIMIT 1 OFFSET ?)
                    """,
                arguments: [max(limit, 1) - 1])
            return try Row.fetchAll(database, sql: "SELECT * FROM sent_version ORDER BY at, provider, domain, item")
                .map { SentVersion(key: ItemKey(row: $0), version: $0["version"], former: $0["former"]) }
        }
    }
}
