import GRDB
import Rights

/// Reads and writes the rows of documents, and keeps the index of words in step. Runs inside one transaction.
struct DocumentTable {
    struct Row {
        let id: Int64
        let parent: Int64
        let name: String
        let kind: Int64
        let size: Int64?
        let modified: Int64?
        let flags: SearchSchema.Flags
        let round: Int64
    }

    private let database: Database
    private let seed: Int64
    private var accounts: [SearchAccount.Identity: Int64] = [:]
    private var kinds: [BytewiseText: Int64] = [:]

    init(_ database: Database, seed: Int64) {
        self.database = database
        self.seed = seed
    }

    // MARK: Finding

    func knownAccount(_ account: SearchAccount.Identity) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM account WHERE provider = ? AND domain = ?"),
            arguments: [account.provider, account.domain])
    }

    mutating func account(_ account: SearchAccount.Identity) throws -> Int64 {
        if let known = accounts[account] { return known }
        if let stored = try knownAccount(account) {
            accounts[account] = stored
            return stored
        }
        try database.execute(
            sql: "INSERT INTO account (provider, domain) VALUES (?, ?)", arguments: [account.provider, account.domain])
        accounts[account] = database.lastInsertedRowID
        return database.lastInsertedRowID
    }

    func identifier(of key: ItemKey) throws -> Int64? {
        guard let account = try knownAccount(.init(key)) else { return nil }
        return try row(account, key.identifier)?.id
    }

    private func row(_ account: Int64, _ item: String) throws -> Row? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT id, parent, name, kind, size, modified, flags, round FROM document
                WHERE hash = ? AND account = ? AND item = ?
                """)
        return try GRDB.Row.fetchOne(statement, arguments: [hash(account, item), account, item]).map { row in
            Row(
                id: row[0], parent: row[1], name: row[2], kind: row[3], size: row[4], modified: row[5],
                flags: .init(rawValue: row[6]), round: row[7])
        }
    }

    private func hash(_ account: Int64, _ item: String) -> Int64 { SearchSchema.hash(item, seed: seed &+ account) }

    func children(of folder: Int64) throws -> [(id: Int64, item: String)] {
        try GRDB.Row.fetchAll(
            database.cachedStatement(sql: "SELECT id, item FROM document WHERE parent = ? AND id <> ?"),
            arguments: [folder, folder]
        ).map { ($0[0], $0[1]) }
    }

    private mutating func kind(_ type: String) throws -> Int64 {
        let name = BytewiseText(type)
        if let known = kinds[name] { return known }
        let stored = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM kind WHERE type = ?"), arguments: [type])
        if stored == nil { try database.execute(sql: "INSERT INTO kind (type) VALUES (?)", arguments: [type]) }
        let number = stored ?? database.lastInsertedRowID
        kinds[name] = number
        return number
    }

    // MARK: Changing

    /// - Returns: whether the item is different now.
    mutating func put(_ item: IndexedItem) throws -> Bool {
        guard item.isStorable else { return false }
        let account = try account(.init(item.key))
        let parent = try folder(item, account)
        let kind = try kind(item.contentType)
        let flags = SearchSchema.Flags(item)
        let size = item.isFolder ? nil : item.size
        let modified = item.modified.flatMap { Int64(exactly: min(max($0, -1e12), 1e12).rounded()) }
        guard let known = try row(account, item.key.identifier) else {
            try insert(account, item.key.identifier, parent, item.name, kind, size, modified, flags)
            try addWords(database.lastInsertedRowID, item.name, flags)
            return true
        }
        guard
            known.parent != parent || !known.name.isSame(as: item.name) || known.kind != kind || known.size != size
                || known.modified != modified || known.flags != flags
        else { return false }
        if !known.name.isSame(as: item.name)
            || known.flags.intersection(Self.indexed) != flags.intersection(Self.indexed)
        {
            try removeWords(known.id, known.name, known.flags)
            try addWords(known.id, item.name, flags)
        }
        try database.cachedStatement(
            sql: """
                UPDATE document SET parent = ?, name = ?, kind = ?, size = ?, modified = ?, flags = ? WHERE id = ?
                """
        ).execute(arguments: [parent, item.name, kind, size, modified, flags.rawValue, known.id])
        return true
    }

    private mutating func folder(_ item: IndexedItem, _ account: Int64) throws -> Int64 {
        if item.parent.isEmpty || item.parent.isSame(as: item.key.identifier)
            || item.key.identifier == ItemKey.rootIdentifier
        {
            return 0
        }
        if let known = try row(account, item.parent) { return known.id }
        return try addUnknown(account, item.parent)
    }

    /// Adds a folder of which only the identifier is known.
    mutating func addUnknown(_ account: Int64, _ item: String) throws -> Int64 {
        if let known = try row(account, item) { return known.id }
        try insert(account, item, 0, "", try kind("public.folder"), nil, nil, [.folder, .unknown])
        return database.lastInsertedRowID
    }

    private func insert(
        _ account: Int64, _ item: String, _ parent: Int64, _ name: String, _ kind: Int64, _ size: Int64?,
        _ modified: Int64?, _ flags: SearchSchema.Flags
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO document (account, hash, item, parent, name, kind, size, modified, flags)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            account, hash(account, item), item, parent, name, kind, size, modified, flags.rawValue,
        ])
    }

    /// - Returns: the removed items: this one, and everything in it.
    mutating func remove(_ key: ItemKey) throws -> [ItemKey] {
        guard key.isStorable, let account = try knownAccount(.init(key)),
            let first = try row(account, key.identifier)
        else { return [] }
        var removed: [ItemKey] = []
        var waiting = [(id: first.id, item: key.identifier)]
        // A row is deleted before its children are looked up, so a cycle ends.
        while let next = waiting.popLast() {
            let inside = try children(of: next.id)
            guard try delete(next.id) else { continue }
            removed.append(key.sibling(next.item))
            waiting += inside
        }
        return removed
    }

    @discardableResult
    func delete(_ id: Int64) throws -> Bool {
        let stored = try GRDB.Row.fetchOne(
            database.cachedStatement(sql: "SELECT name, flags FROM document WHERE id = ?"), arguments: [id])
        guard let stored else { return false }
        let (name, flags): (String, SearchSchema.Flags) = (stored[0], .init(rawValue: stored[1]))
        try removeWords(id, name, flags)
        try database.cachedStatement(sql: "DELETE FROM document WHERE id = ?").execute(arguments: [id])
        return true
    }

    // What decides in which of the two indexes of words a name is.
    private static let indexed: SearchSchema.Flags = [.folder, .unknown]

    private func addWords(_ id: Int64, _ name: String, _ flags: SearchSchema.Flags) throws {
        guard !flags.contains(.unknown) else { return }
        let text = SearchSchema.indexed(NameFolding.fold(name))
        try database.cachedStatement(sql: "INSERT INTO word (rowid, text) VALUES (?, ?)").execute(arguments: [id, text])
        guard flags.contains(.folder) else { return }
        try database.cachedStatement(sql: "INSERT INTO folder_word (rowid, text) VALUES (?, ?)")
            .execute(arguments: [id, text])
    }

    // The indexes have no text of their own: they remove the parts of the text that they are given.
    private func removeWords(_ id: Int64, _ name: String, _ flags: SearchSchema.Flags) throws {
        guard !flags.contains(.unknown) else { return }
        let text = SearchSchema.indexed(NameFolding.fold(name))
        try database.cachedStatement(sql: "INSERT INTO word (word, rowid, text) VALUES ('delete', ?, ?)")
            .execute(arguments: [id, text])
        guard flags.contains(.folder) else { return }
        try database.cachedStatement(sql: "INSERT INTO folder_word (folder_word, rowid, text) VALUES ('delete', ?, ?)")
            .execute(arguments: [id, text])
    }
}
