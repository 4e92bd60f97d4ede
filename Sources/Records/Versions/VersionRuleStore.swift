import GRDB
package import Rights

/// The user's rules about versions. Every change is durable before its call returns.
package struct VersionRuleStore: Sendable {
    private let database: HostDatabase

    /// Uses a database.
    package init(database: HostDatabase) { self.database = database }

    /// All rules, in the order of their scopes.
    package func all() async throws -> [VersionRule] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM version_rule ORDER BY provider, domain, item")
                .map(VersionRule.init(row:))
        }
    }

    /// Adds what a rule decides to the rule of the same scope.
    ///
    /// - Returns: the rule as it is now.
    package func set(_ rule: VersionRule) async throws -> VersionRule {
        let scope = rule.scope
        guard [scope.provider, scope.domain, scope.item].allSatisfy(\.isStorable) else {
            throw IndexError.unusableDescription
        }
        return try await database.write { database in
            let known = try Row.fetchOne(
                database, sql: "SELECT * FROM version_rule WHERE provider = ? AND domain = ? AND item = ?",
                arguments: [scope.provider, scope.domain, scope.item]
            ).map(VersionRule.init(row:))
            let now = (known ?? VersionRule(scope)).with(rule)
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO version_rule
                        (provider, domain, item, is_kept, versions, days, space, when_full, merges)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    scope.provider, scope.domain, scope.item, now.isKept, now.versions, now.days, now.space,
                    now.whenFull?.rawValue, now.merges,
                ])
            return now
        }
    }

    /// Removes the rule of a scope; a missing one is fine.
    package func remove(_ scope: VersionRule.Scope) async throws {
        guard [scope.provider, scope.domain, scope.item].allSatisfy(\.isStorable) else { return }
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM version_rule WHERE provider = ? AND domain = ? AND item = ?",
                arguments: [scope.provider, scope.domain, scope.item])
        }
    }
}

extension VersionRule {
    fileprivate init(row: Row) {
        self.init(
            Scope(provider: row["provider"], domain: row["domain"], item: row["item"]), isKept: row["is_kept"],
            versions: row["versions"], days: row["days"], space: row["space"],
            whenFull: (row["when_full"] as String?).flatMap(VersionPolicy.WhenFull.init(rawValue:)),
            merges: row["merges"])
    }
}
