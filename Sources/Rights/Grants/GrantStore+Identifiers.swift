import GRDB

// Rights follow their documents to other identifiers.
extension GrantStore {
    /// Moves grants and bookmarks to the new identifier that a document's provider confirmed, for instance after a
    /// rename by a provider whose identifiers are paths. The bookmarks become stale (G5).
    ///
    /// - Throws: ``AccessError/identifierInUse`` when the new identifier has grants: those belong to another document.
    package func rebind(_ old: ItemKey, to new: ItemKey) async throws {
        guard old != new else { return }
        try await database.write { [self] database in
            var taken = Condition()
            taken.require(new)
            let count = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM grants\(taken.sql)", arguments: taken.arguments)
            if count != 0 { throw AccessError.identifierInUse }
            var condition = Condition()
            condition.require(old)
            let before = try Self.stored(database, condition)
            try database.execute(
                sql: "UPDATE bookmarks SET stale = 1 WHERE grant_id IN (SELECT id FROM grants\(condition.sql))",
                arguments: condition.arguments)
            try database.execute(
                sql: "UPDATE bookmarks SET provider = ?, domain = ?, item = ?, stale = 1\(condition.sql)",
                arguments: [new.provider, new.domain, new.identifier] + condition.arguments)
            try database.execute(
                sql: "UPDATE grants SET provider = ?, domain = ?, item = ?\(condition.sql)",
                arguments: [new.provider, new.domain, new.identifier] + condition.arguments)
            if new.sibling(old.identifier) == old {
                for statement in RecentTables.follow {
                    try database.execute(
                        sql: statement, arguments: [old.provider, old.domain, old.identifier, new.identifier])
                }
            }
            followCommit(database) { state in
                for grant in before {
                    state.index.remove(grant)
                    state.index.insert(grant.with(item: new))
                }
            }
        }
    }

    /// Reads the grants of items again, after a change of the table that this store did not make.
    package func reload(_ items: [ItemKey]) async throws {
        try await database.write { [self] database in
            let grants = try items.flatMap { item in
                var condition = Condition()
                condition.require(item)
                return try Self.stored(database, condition)
            }
            followCommit(database) { state in
                for item in items {
                    for grant in state.index.grants(of: item) { state.index.remove(grant) }
                }
                for grant in grants { state.index.insert(grant) }
            }
        }
    }
}
