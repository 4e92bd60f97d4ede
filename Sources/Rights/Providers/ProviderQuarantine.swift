package import FoundationEssentials
import GRDB

/// A provider that may not start after repeated crashes.
package struct ProviderQuarantine: Hashable, Sendable, Codable {
    /// The provider's bundle identifier.
    package let provider: String
    /// When the quarantine began.
    package let since: Date
    /// The reason, for the user.
    package let reason: String
}

extension ProviderConsentStore {
    private static let crashesKept = 50

    /// Records a crash; the newest 50 of a provider are kept.
    package func recordCrash(_ provider: String, detail: String, at moment: Date = .now) async throws {
        try await database.write { database in
            try database.execute(
                sql: "INSERT INTO crash (provider, at, detail) VALUES (?, ?, ?)",
                arguments: [provider, moment.milliseconds, detail])
            try database.execute(
                sql: """
                    DELETE FROM crash WHERE provider = ?1 AND id <= (
                        SELECT id FROM crash WHERE provider = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
                    """,
                arguments: [provider, Self.crashesKept])
        }
    }

    /// The times of the kept crashes since a moment, oldest first.
    package func crashes(of provider: String, since start: Date) async throws -> [Date] {
        try await database.read { database in
            try Int64.fetchAll(
                database, sql: "SELECT at FROM crash WHERE provider = ? AND at >= ? ORDER BY at",
                arguments: [provider, start.milliseconds]
            ).map(Date.init(milliseconds:))
        }
    }

    /// Quarantines a provider; one that is in quarantine already keeps its first moment and reason.
    package func quarantine(_ provider: String, reason: String, at moment: Date = .now) async throws {
        try await database.write { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO quarantine (provider, since, reason) VALUES (?, ?, ?)",
                arguments: [provider, moment.milliseconds, reason])
        }
    }

    /// Ends a quarantine and forgets the crashes that led to it.
    package func release(_ provider: String) async throws {
        try await database.write { database in
            try database.execute(sql: "DELETE FROM quarantine WHERE provider = ?", arguments: [provider])
            try database.execute(sql: "DELETE FROM crash WHERE provider = ?", arguments: [provider])
        }
    }

    static func quarantines(_ database: Database) throws -> [ProviderQuarantine] {
        try Row.fetchAll(database, sql: "SELECT * FROM quarantine ORDER BY provider").map {
            ProviderQuarantine(
                provider: $0["provider"], since: Date(milliseconds: $0["since"]), reason: $0["reason"])
        }
    }
}
