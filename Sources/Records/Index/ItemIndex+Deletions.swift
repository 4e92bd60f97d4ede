package import FoundationEssentials
package import Rights

extension ItemIndex {
    /// Whether an item, or the folder it is in, is being deleted (``DeletionStore``): then what its provider says of it
    /// is not taken in.
    package func isDeleted(_ key: ItemKey, in folder: String) async throws -> Bool {
        try await DeletionStore(database: database).isDeleted(key, in: folder)
    }

    /// Ends a deletion that is not carried out: the items are as they were before it. An item that appeared under one
    /// of the identifiers meanwhile stays.
    ///
    /// - Parameters:
    ///   - returnsRights: whether the user took the deletion back: then each item has its rights, bookmarks and history
    ///     again. Otherwise only an item that is proved to be the same has them.
    /// - Returns: the items; none if there is no such deletion.
    package func bringBack(
        _ deletion: PendingDeletion, returnsRights: Bool, at now: Date = .now
    ) async throws -> [RemoteItem] {
        try await database.write { [hub = database.keyChanges] database in
            guard try DeletionTable.deletion(database, deletion.id) != nil else { return [] }
            var changes: [KeyChange] = []
            var items: [RemoteItem] = []
            for one in try DeletionTable.items(database, of: deletion.id) {
                let key = deletion.key.sibling(one.description.identifier)
                guard try RemoteItemTable.item(database, key) == nil else { continue }
                let item = RemoteItem(
                    key: key, description: one.description, listed: one.listed, isPinned: one.isPinned)
                try RemoteItemTable.save(database, item)
                try Self.appeared(database, one.description, at: key, isSame: returnsRights, &changes)
                items.append(item)
            }
            try DeletionTable.remove(database, deletion.id)
            if !returnsRights { try UndoStore.markUndone(database, deletion.id, at: now) }
            hub.announce(changes, after: database)
            return items
        }
    }
}
