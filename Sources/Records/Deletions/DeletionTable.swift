import FoundationEssentials
import GRDB
import Rights

/// Reads and writes pending deletions. Runs inside transactions.
enum DeletionTable {
    /// Whether anything is being deleted in a domain.
    static func hasAny(_ database: Database, provider: String, domain: String) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM deleted_item WHERE provider = ? AND domain = ?)")
        return try Bool.fetchOne(statement, arguments: [provider, domain]) ?? false
    }

    /// Leaves out what is being deleted, and what is in a folder that is being deleted. A deletion whose items are
    /// described otherwise than before is marked: somebody may have changed them.
    static func visible(
        _ database: Database, _ descriptions: [ItemDescription], provider: String, domain: String
    ) throws -> [ItemDescription] {
        guard !descriptions.isEmpty, try hasAny(database, provider: provider, domain: domain) else {
            return descriptions
        }
        let known = try self.known(
            database, Set(descriptions.flatMap { [$0.identifier, $0.parent] }), provider: provider, domain: domain)
        guard !known.isEmpty else { return descriptions }
        var suspects: Set<String> = []
        let visible = descriptions.filter { description in
            if let one = known[BytewiseText(description.identifier)] {
                if one.item.differs(from: description) { suspects.insert(one.deletion) }
                return false
            }
            guard let folder = known[BytewiseText(description.parent)] else { return true }
            if folder.item.listed != nil { suspects.insert(folder.deletion) }
            return false
        }
        for suspect in suspects {
            try database.execute(sql: "UPDATE pending_deletion SET is_suspect = 1 WHERE id = ?", arguments: [suspect])
        }
        return visible
    }

    /// The items of these identifiers that are being deleted.
    static func known(
        _ database: Database, _ identifiers: Set<String>, provider: String, domain: String
    ) throws -> [BytewiseText: (deletion: String, item: DeletedItem)] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT * FROM deleted_item
                WHERE provider = ? AND domain = ? AND item IN (SELECT value FROM json_each(?))
                """)
        let rows = try Row.fetchAll(
            statement, arguments: [provider, domain, try JSONText.encode(identifiers.sorted())])
        return try Dictionary(
            rows.map { (BytewiseText($0["item"]), (deletion: $0["deletion"], item: try item($0))) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Records a deletion with what goes with it.
    static func record(_ database: Database, _ deletion: PendingDeletion, _ items: [DeletedItem]) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO pending_deletion
                    (id, principal_kind, principal_id, provider, domain, item, parent, name, is_folder, size, path,
                     created, due)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                deletion.id, deletion.principal.kind.rawValue, deletion.principal.identifier, deletion.key.provider,
                deletion.key.domain, deletion.key.identifier, deletion.parent, deletion.name, deletion.isFolder,
                deletion.size, deletion.path, deletion.created.milliseconds, deletion.due.milliseconds,
            ])
        for (position, item) in items.enumerated() {
            try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO deleted_item
                        (provider, domain, item, deletion, position, listed, is_pinned, description)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                deletion.key.provider, deletion.key.domain, item.description.identifier, deletion.id, position,
                item.listed?.milliseconds, item.isPinned, try JSONText.encode(item.description),
            ])
        }
    }

    /// A deletion; nil if there is none.
    static func deletion(_ database: Database, _ id: String) throws -> PendingDeletion? {
        guard id.isStorable else { return nil }
        return try Row.fetchOne(database, sql: "SELECT * FROM pending_deletion WHERE id = ?", arguments: [id])
            .map(PendingDeletion.init(row:))
    }

    /// The items that go with a deletion, the item itself first.
    static func items(_ database: Database, of id: String) throws -> [DeletedItem] {
        try Row.fetchAll(
            database, sql: "SELECT * FROM deleted_item WHERE deletion = ? ORDER BY position", arguments: [id]
        ).map(item)
    }

    private static func item(_ row: Row) throws -> DeletedItem {
        let text: String = row["description"]
        return DeletedItem(
            try JSONDecoder().decode(ItemDescription.self, from: Data(text.utf8)),
            listed: (row["listed"] as Int64?).map(Date.init(milliseconds:)), isPinned: row["is_pinned"])
    }

    /// Removes the record of a deletion, and of what goes with it.
    static func remove(_ database: Database, _ id: String) throws {
        try database.execute(sql: "DELETE FROM deleted_item WHERE deletion = ?", arguments: [id])
        try database.execute(sql: "DELETE FROM pending_deletion WHERE id = ?", arguments: [id])
    }
}
