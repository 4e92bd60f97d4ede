package import FoundationEssentials
import GRDB

/// The user's decisions about providers: which are enabled and as what, which share a group, which are quarantined
/// after crashes, and their accounts. Every change is durable before its call returns.
package struct ProviderConsentStore: Sendable {
    let database: HostDatabase

    /// Makes a store in an open database.
    package init(database: HostDatabase) {
        self.database = database
    }

    /// Enables a provider as pinned, with its groups, all or nothing (S3).
    ///
    /// A group without an owner becomes this provider's.
    /// - Parameters:
    ///   - groups: every group that the manifests name.
    ///   - joining: the groups of others that the user consented to join.
    ///   - requests: the provider's requests, one line each; they are the agreement from now on.
    /// - Throws: ``ConsentError/groupOwnedByAnother(_:owner:)``, ``HostDatabaseError``.
    package func enable(
        _ pin: ProviderPin, groups: [ProviderGroup] = [], joining: Set<ProviderGroup> = [], requests: [String] = []
    ) async throws {
        try await database.write { database in
            for group in groups {
                try Self.enter(
                    database, group, provider: pin.identifier, consented: joining.contains(group), pin.enabledAt)
            }
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO provider
                        (identifier, enabled, changed, manifest_paths, library_paths, owner, digest, unsandboxed)
                    VALUES (?, 1, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    pin.identifier, pin.enabledAt.milliseconds, try JSONText.encode(pin.manifestPaths),
                    try JSONText.encode(pin.libraryPaths), pin.ownerUserID, pin.digest, pin.isUnsandboxed,
                ])
            try Self.agree(database, requests, pin.identifier, pin.enabledAt)
        }
    }

    /// Disables a provider. It keeps its groups, so that no other provider takes them over meanwhile.
    package func disable(_ provider: String, at moment: Date = .now) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO provider
                        (identifier, enabled, changed, manifest_paths, library_paths, owner, digest, unsandboxed)
                    VALUES (?, 0, ?, '[]', '[]', 0, '', 0)
                    ON CONFLICT (identifier) DO UPDATE SET enabled = 0, changed = excluded.changed
                    """,
                arguments: [provider, moment.milliseconds])
        }
    }

    static func decisions(_ database: Database) throws -> [String: ProviderDecision] {
        let rows = try Row.fetchAll(database, sql: "SELECT * FROM provider")
        return try Dictionary(uniqueKeysWithValues: rows.map { ($0["identifier"], try decision($0)) })
    }

    /// The provider that was first enabled with a group, if any.
    package func owner(of group: ProviderGroup) async throws -> String? {
        try await database.read { try Self.owner($0, group) }
    }

    /// Whether a provider owns a group or joined it by consent.
    package func isMember(_ provider: String, of group: ProviderGroup) async throws -> Bool {
        try await database.read { database in
            try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT 1 FROM group_member WHERE kind = ? AND name = ? AND provider = ?)",
                arguments: [group.kind.rawValue, group.name, provider]) ?? false
        }
    }

    /// Forgets all decisions about a provider: its consent, its membership of groups, the groups it owns with every
    /// membership of others in them, crashes and quarantine. Its grants remain, in ``GrantStore``.
    package func forget(_ provider: String) async throws {
        try await database.write { database in
            for statement in [
                "DELETE FROM provider WHERE identifier = ?", "DELETE FROM group_member WHERE provider = ?",
                "DELETE FROM provider_group WHERE owner = ?", "DELETE FROM crash WHERE provider = ?",
                "DELETE FROM quarantine WHERE provider = ?", "DELETE FROM provider_agreement WHERE provider = ?",
            ] { try database.execute(sql: statement, arguments: [provider]) }
        }
    }

    static func enter(
        _ database: Database, _ group: ProviderGroup, provider: String, consented: Bool, _ moment: Date
    ) throws {
        let key: StatementArguments = [group.kind.rawValue, group.name]
        if let owner = try owner(database, group) {
            let isMember = try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT 1 FROM group_member WHERE kind = ? AND name = ? AND provider = ?)",
                arguments: key + [provider])
            guard isMember == true || owner == provider || consented else {
                throw ConsentError.groupOwnedByAnother(group, owner: owner)
            }
        } else {
            try database.execute(
                sql: "INSERT INTO provider_group (kind, name, owner, since) VALUES (?, ?, ?, ?)",
                arguments: key + [provider, moment.milliseconds])
        }
        try database.execute(
            sql: "INSERT OR IGNORE INTO group_member (kind, name, provider, since) VALUES (?, ?, ?, ?)",
            arguments: key + [provider, moment.milliseconds])
    }

    static func owner(_ database: Database, _ group: ProviderGroup) throws -> String? {
        try String.fetchOne(
            database, sql: "SELECT owner FROM provider_group WHERE kind = ? AND name = ?",
            arguments: [group.kind.rawValue, group.name])
    }

    private static func decision(_ row: Row) throws -> ProviderDecision {
        row["enabled"] ? .enabled(try ProviderPin(row: row)) : .disabled(since: Date(milliseconds: row["changed"]))
    }
}
