import GRDB
package import Rights

extension SearchIndex {
    /// What happened to an item.
    package enum Change: Sendable, Hashable {
        /// It has these facts.
        case known(IndexedItem)
        /// It is gone, with everything in it.
        case gone(ItemKey)
    }

    /// Stores changes in one transaction, in their order. An item that cannot be stored is left out.
    ///
    /// - Returns: the items that are different now, also those that went with their folder.
    @discardableResult
    package func apply(_ changes: [Change]) async throws -> [ItemKey] {
        guard !changes.isEmpty else { return [] }
        return try await write { [seed] database in
            var table = DocumentTable(database, seed: seed)
            var changed: [ItemKey] = []
            for change in changes {
                switch change {
                case .known(let item): if try table.put(item) { changed.append(item.key) }
                case .gone(let key): changed += try table.remove(key)
                }
            }
            return changed
        }
    }

    /// Removes what is in a folder and is not among these items: the folder was listed completely.
    ///
    /// - Returns: the items that are gone.
    @discardableResult
    package func removeOthers(than present: Set<BytewiseText>, in folder: ItemKey) async throws -> [ItemKey] {
        guard folder.isStorable else { return [] }
        return try await write { [seed] database in
            var table = DocumentTable(database, seed: seed)
            guard let known = try table.identifier(of: folder) else { return [] }
            var removed: [ItemKey] = []
            for child in try table.children(of: known) where !present.contains(BytewiseText(child.item)) {
                removed += try table.remove(folder.sibling(child.item))
            }
            return removed
        }
    }

    /// Removes a part of an account's documents, in one transaction; all other records of the account go with the last.
    ///
    /// - Parameter last: what the call before returned.
    /// - Returns: where to continue; nil when nothing is left.
    package func removeSome(
        of account: SearchAccount.Identity, after last: Int64 = 0, most: Int = 2_000
    ) async throws -> Int64? {
        try await write { [seed] database in
            let table = DocumentTable(database, seed: seed)
            guard let number = try table.knownAccount(account) else { return nil }
            let rows = try Int64.fetchAll(
                database, sql: "SELECT id FROM document WHERE account = ? AND id > ? ORDER BY id LIMIT ?",
                arguments: [number, last, most])
            for id in rows { try table.delete(id) }
            if rows.count == most { return rows.last }
            try database.execute(sql: "DELETE FROM account WHERE id = ?", arguments: [number])
            return nil
        }
    }

    /// The identifiers of an account's known items, in an order that stays the same.
    ///
    /// - Parameter last: the `next` of the part before.
    package func items(
        of account: SearchAccount.Identity, after last: Int64 = 0, most: Int = 1_000
    ) async throws -> (identifiers: [String], next: Int64?) {
        try await read { [seed] database in
            guard let number = try DocumentTable(database, seed: seed).knownAccount(account) else { return ([], nil) }
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT id, item FROM document
                    WHERE account = ? AND id > ? AND NOT flags & \(SearchSchema.Flags.unknown.rawValue)
                    ORDER BY id LIMIT ?
                    """, arguments: [number, last, most])
            return (rows.map { $0[1] }, rows.count == most ? rows.last?[0] : nil)
        }
    }
}
