import GRDB
import Rights

// What happens to grants when their item is gone, and when another item appears under its identifier (fault 5 of the
// document portal).
extension ItemIndex {
    // Who is granted another document under the same identifier must not read what saves of this one replaced.
    private static let history = [
        """
        UPDATE kept_version SET item = ?4 WHERE provider = ?1 AND domain = ?2 AND item = ?3
            AND standing = 'ordinary' AND ?3 <> ?4
        """
    ]

    /// Moves the grants for an item that is gone, and its history, to a tombstone identifier.
    static func bury(_ database: Database, _ item: RemoteItem, _ changes: inout [KeyChange]) throws {
        let key = item.key
        let arguments: StatementArguments = [key.provider, key.domain, key.identifier]
        let concerned = try database.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM grants WHERE provider = ?1 AND domain = ?2 AND item = ?3)
                    OR EXISTS (SELECT 1 FROM item_alias WHERE provider = ?1 AND domain = ?2 AND target = ?3)
                    OR EXISTS (SELECT 1 FROM kept_version WHERE provider = ?1 AND domain = ?2 AND item = ?3
                        AND standing = 'ordinary')
                """)
        guard try Bool.fetchOne(concerned, arguments: arguments) ?? false else { return }
        let grave = key.sibling(Tombstone(item.description).identifier)
        try follow(database, key, to: grave, rights + history + aliases)
        changes.append(.moved(from: key, to: grave, grants: try grants(database, of: grave)))
    }

    /// Ends the aliases of identifiers that are in use again. If the former item has returned, it gets its grants back.
    ///
    /// - Parameter isSame: whether it is known to be the former item.
    static func appeared(
        _ database: Database, _ item: ItemDescription, at key: ItemKey, isSame: Bool = false,
        _ changes: inout [KeyChange]
    ) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT target FROM item_alias WHERE provider = ? AND domain = ? AND item = ?")
        guard
            let target = try String.fetchOne(statement, arguments: [key.provider, key.domain, key.identifier])
        else { return }
        try database.execute(
            sql: "DELETE FROM item_alias WHERE provider = ? AND domain = ? AND item = ?",
            arguments: [key.provider, key.domain, key.identifier])
        changes.append(.reused(key))
        guard let grave = Tombstone(identifier: target),
            grave.isSame(as: item) || (isSame && grave.former.isSame(as: item.identifier))
        else { return }
        let old = key.sibling(target)
        try follow(database, old, to: key, rights + history + aliases)
        changes.append(.moved(from: old, to: key, grants: try grants(database, of: key)))
    }

    /// Whether a domain has any former identifiers.
    static func hasAliases(_ database: Database, provider: String, domain: String) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM item_alias WHERE provider = ? AND domain = ?)",
            arguments: [provider, domain]) ?? false
    }

    static func grants(_ database: Database, of key: ItemKey) throws -> [Grant] {
        var condition = Condition()
        condition.require(key)
        return try Row.fetchAll(
            database, sql: "SELECT \(Grant.columns) FROM grants\(condition.sql)", arguments: condition.arguments
        ).compactMap(Grant.init(row:))
    }

    static func follow(_ database: Database, _ key: ItemKey, to new: ItemKey, _ statements: [String]) throws {
        for statement in statements {
            try database.execute(
                sql: statement, arguments: [key.provider, key.domain, key.identifier, new.identifier])
        }
    }
}
