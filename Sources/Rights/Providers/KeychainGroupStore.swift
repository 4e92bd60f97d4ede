import GRDB

/// Where the secrets of each keychain access group are stored, and which providers may use the group. Every change is
/// durable before its call returns.
package struct KeychainGroupStore: Sendable {
    private let database: HostDatabase

    /// Makes a store in an open database.
    package init(database: HostDatabase) { self.database = database }

    /// The place in the ladder of keyrings that holds a group's secrets; nil before the first was stored.
    package func rung(of group: String) async throws -> String? {
        try await database.read {
            try String.fetchOne(
                $0, sql: "SELECT value FROM setting WHERE name = ?", arguments: [Self.name(group)])
        }
    }

    /// Records that place for as long as the group exists.
    package func setRung(_ rung: String, of group: String) async throws {
        try await database.write {
            try $0.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", arguments: [Self.name(group), rung])
        }
    }

    /// Whether a provider may use a group that its manifest names: it was enabled with the group, with consent if the
    /// group is another provider's (S3). A group without an owner becomes this provider's, because the system's
    /// providers are never enabled by hand.
    package func admits(_ provider: String, to group: String, at moment: Int64) async throws -> Bool {
        try await database.write { database in
            let kind = ProviderGroup.Kind.keychain.rawValue
            try database.execute(
                sql: "INSERT OR IGNORE INTO provider_group (kind, name, owner, since) VALUES (?, ?, ?, ?)",
                arguments: [kind, group, provider, moment])
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO group_member (kind, name, provider, since)
                    SELECT kind, name, owner, since FROM provider_group WHERE kind = ? AND name = ? AND owner = ?
                    """,
                arguments: [kind, group, provider])
            return try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT 1 FROM group_member WHERE kind = ? AND name = ? AND provider = ?)",
                arguments: [kind, group, provider]) ?? false
        }
    }

    private static func name(_ group: String) -> String { "keychain group \(group)" }
}
