import FoundationEssentials
import GRDB
import Rights

/// Reads and writes rows of `remote_item` by prepared statements. Runs inside transactions.
enum RemoteItemTable {
    static let columns = """
        provider, domain, item, parent, name, content_type, size, modified, born, is_folder, version, capabilities,
        thumbnail, checked, listed, provisional, local_name, local_version, local_size, pinned, used,
        link_target, ignores_case
        """

    private static let columnNames = columns.split { " ,\n".contains($0) }.map(String.init)

    private static let upsert = """
        INSERT INTO remote_item (\(columns)) VALUES (\(columnNames.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (provider, domain, item) DO UPDATE SET
            \(columnNames.dropFirst(3).map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        """

    static func item(_ database: Database, _ key: ItemKey) throws -> RemoteItem? {
        guard key.isStorable else { return nil }
        let statement = try database.cachedStatement(
            sql: "SELECT \(columns) FROM remote_item WHERE provider = ? AND domain = ? AND item = ?")
        return try Row.fetchOne(statement, arguments: [key.provider, key.domain, key.identifier])
            .map(RemoteItem.init(row:))
    }

    static func items(_ database: Database, where condition: String, _ arguments: StatementArguments) throws
        -> [RemoteItem]
    {
        let statement = try database.cachedStatement(sql: "SELECT \(columns) FROM remote_item WHERE \(condition)")
        return try Row.fetchAll(statement, arguments: arguments).map(RemoteItem.init(row:))
    }

    /// The rows of the given identifiers that the index has, in one query.
    static func items(_ database: Database, provider: String, domain: String, identifiers: [String]) throws
        -> [BytewiseText: RemoteItem]
    {
        let found = try items(
            database, where: "provider = ? AND domain = ? AND item IN (SELECT value FROM json_each(?))",
            [provider, domain, try JSONText.encode(identifiers)])
        return Dictionary(found.map { (BytewiseText($0.key.identifier), $0) }) { first, _ in first }
    }

    /// The direct children, without a folder that names itself as its parent.
    static func children(_ database: Database, of folder: ItemKey) throws -> [RemoteItem] {
        try items(
            database, where: "provider = ?1 AND domain = ?2 AND parent = ?3 AND item <> ?3",
            [folder.provider, folder.domain, folder.identifier])
    }

    /// The few facts that a listing needs about each child, even in very large folders.
    struct Mark {
        let identifier: BytewiseText
        let checked: Int64?
        let isProvisional: Bool

        /// Whether it was learned after a time. A time in the future, from a clock that was set back, proves nothing.
        func isChecked(after moment: Date?) -> Bool {
            guard let moment, let checked else { return false }
            return checked > moment.milliseconds && checked <= Date.now.milliseconds
        }
    }

    /// The direct children, without a folder that names itself as its parent.
    static func marks(_ database: Database, of folder: ItemKey) throws -> [Mark] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT item, checked, provisional FROM remote_item
                WHERE provider = ?1 AND domain = ?2 AND parent = ?3 AND item <> ?3
                """)
        let rows = try Row.fetchCursor(statement, arguments: [folder.provider, folder.domain, folder.identifier])
        var marks: [Mark] = []
        while let row = try rows.next() {
            marks.append(Mark(identifier: BytewiseText(row[0]), checked: row[1], isProvisional: row[2]))
        }
        return marks
    }

    /// The identifiers of an item and of the folders above it, even if a provider's parents form a cycle.
    static func ancestors(_ database: Database, of key: ItemKey) throws -> Set<BytewiseText> {
        let statement = try database.cachedStatement(
            sql: """
                WITH RECURSIVE above (item, parent) AS (
                    SELECT item, parent FROM remote_item WHERE provider = ?1 AND domain = ?2 AND item = ?3
                    UNION
                    SELECT r.item, r.parent FROM above CROSS JOIN remote_item AS r
                        ON r.provider = ?1 AND r.domain = ?2 AND r.item = above.parent
                ) SELECT item FROM above
                """)
        let found = try String.fetchAll(statement, arguments: [key.provider, key.domain, key.identifier])
        return Set((found + [key.identifier, ItemKey.rootIdentifier]).map { BytewiseText($0) })
    }

    static func save(_ database: Database, _ item: RemoteItem) throws {
        let (key, description) = (item.key, item.description)
        try database.cachedStatement(sql: upsert).execute(arguments: [
            key.provider, key.domain, key.identifier, description.parent, description.name, description.contentType,
            description.size, description.modificationDate, description.creationDate, description.isFolder,
            description.version, description.capabilities?.joined(separator: "\n"), description.thumbnail,
            item.checked?.milliseconds, item.listed?.milliseconds, item.isProvisional, item.local?.name,
            item.local?.version, item.local?.size, item.isPinned, item.lastUsed?.milliseconds,
            description.symbolicLinkTarget, description.ignoresCase,
        ])
    }

    static func delete(_ database: Database, _ key: ItemKey) throws {
        try database.cachedStatement(sql: "DELETE FROM remote_item WHERE provider = ? AND domain = ? AND item = ?")
            .execute(arguments: [key.provider, key.domain, key.identifier])
    }
}

extension RemoteItem {
    // By position, in the order of `RemoteItemTable.columns`: names would be looked up in every row.
    fileprivate init(row: Row) {
        let identifier: String = row[2]
        let capabilities = (row[11] as String?)?.split(separator: "\n").map(String.init)
        self.init(
            key: ItemKey(provider: row[0], domain: row[1], identifier: identifier),
            description: ItemDescription(
                identifier: identifier, parent: row[3], name: row[4], contentType: row[5], size: row[6],
                modificationDate: row[7], creationDate: row[8], isFolder: row[9], version: row[10],
                capabilities: capabilities, thumbnail: row[12], symbolicLinkTarget: row[21], ignoresCase: row[22]),
            checked: (row[13] as Int64?).map(Date.init(milliseconds:)),
            listed: (row[14] as Int64?).map(Date.init(milliseconds:)), isProvisional: row[15],
            local: (row[16] as String?).map { LocalCopy(name: $0, version: row[17], size: row[18] ?? 0) },
            isPinned: row[19], lastUsed: (row[20] as Int64?).map(Date.init(milliseconds:)))
    }
}
