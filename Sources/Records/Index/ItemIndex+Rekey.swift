package import FoundationEssentials
import GRDB
package import Rights

extension ItemIndex {
    /// Moves an item's records to the identifier that its provider has assigned or confirmed: for a provisional item
    /// that was sent, or one whose identifier changed through a rename (F1).
    ///
    /// One transaction updates the item, its children, grants with their bookmarks, operations, kept versions and the
    /// partial download. If both keys have a grant for the same principal, the wider permissions win; the bookmarks
    /// become stale (G5). The old key becomes an alias. The item's local copy stays recorded; moving its folder on disk
    /// is the caller's task. May be repeated.
    ///
    /// Call ``GrantStore/rekeyed(from:to:)`` afterwards: its table in memory is not updated here.
    /// - Parameter local: the copy in the new identifier's folder, which the caller has put there; nil keeps the record
    ///   of the old copy.
    /// - Throws: ``IndexError``, ``HostDatabaseError``.
    package func rekey(
        _ key: ItemKey, to description: ItemDescription, local: LocalCopy? = nil, at moment: Date = .now
    ) async throws {
        let one = Rekeying(key: key, description: description, local: local)
        guard one.isStorable else { throw IndexError.unusableDescription }
        try await database.write { [hub = database.keyChanges] database in
            var changes: [KeyChange] = []
            try Self.rekey(database, one, at: moment, &changes)
            hub.announce(changes, after: database)
        }
    }

    /// An item and its new description.
    package struct Rekeying: Sendable {
        /// The former key.
        package var key: ItemKey
        /// The provider's current description, with the new identifier.
        package var description: ItemDescription
        /// The copy in the new identifier's folder.
        package var local: LocalCopy?

        /// Creates one.
        package init(key: ItemKey, description: ItemDescription, local: LocalCopy? = nil) {
            self.key = key
            self.description = description
            self.local = local
        }

        /// The new key.
        package var new: ItemKey { key.sibling(description.identifier) }

        var isStorable: Bool { key.isStorable && new.isStorable && description.isStorable }
    }

    /// Moves the records of a folder and its contents to other identifiers, and finishes the change that caused it, in
    /// one transaction. May be repeated.
    ///
    /// - Parameters:
    ///   - tree: the folder first, then the items below it.
    ///   - gone: items below it that no longer exist; they and the items below them are removed.
    ///   - change: marked as done.
    /// - Returns: the removed items, as they were.
    /// - Throws: ``IndexError``, ``HostDatabaseError``; then nothing has changed.
    package func rekey(
        _ tree: [Rekeying], gone: [ItemKey] = [], finishing change: ItemChange? = nil, at moment: Date = .now
    ) async throws -> [RemoteItem] {
        guard tree.allSatisfy(\.isStorable), gone.allSatisfy(\.isStorable) else { throw IndexError.unusableDescription }
        return try await database.write { [hub = database.keyChanges] database in
            var changes: [KeyChange] = []
            for one in tree { try Self.rekey(database, one, at: moment, &changes) }
            let left = try gone.compactMap { try RemoteItemTable.item(database, $0) }
            let removed = try Self.removeTrees(database, left, sparing: [], visited: [], &changes)
            if let change { try ItemChangeJournal.save(database, change) }
            hub.announce(changes, after: database)
            return removed
        }
    }

    private static func rekey(
        _ database: Database, _ one: Rekeying, at moment: Date, _ changes: inout [KeyChange]
    ) throws {
        let (key, new) = (one.key, one.new)
        let old = try RemoteItemTable.item(database, key)
        // A listing may have added the new key in the meantime.
        let present = key == new ? nil : try RemoteItemTable.item(database, new)
        try RemoteItemTable.save(
            database,
            RemoteItem(
                key: new, description: one.description, checked: moment, listed: old?.listed ?? present?.listed,
                isProvisional: false, local: one.local ?? old?.local ?? present?.local,
                isPinned: old?.isPinned ?? false || present?.isPinned ?? false,
                lastUsed: [old?.lastUsed, present?.lastUsed].compactMap(\.self).max()))
        guard key != new else { return }
        try RemoteItemTable.delete(database, key)
        try follow(database, key, to: new, rights + records + aliases)
        changes.append(.moved(from: key, to: new, grants: try grants(database, of: new)))
    }

    // ?1 provider, ?2 domain, ?3 the old identifier, ?4 the new one.
    private static let records = [
        "UPDATE remote_item SET parent = ?4 WHERE provider = ?1 AND domain = ?2 AND parent = ?3",
        "UPDATE operation SET item = ?4 WHERE provider = ?1 AND domain = ?2 AND item = ?3",
        "UPDATE operation SET parent = ?4 WHERE provider = ?1 AND domain = ?2 AND parent = ?3",
        """
        INSERT INTO item_version (provider, domain, item, version)
        SELECT provider, domain, ?4, version FROM item_version WHERE provider = ?1 AND domain = ?2 AND item = ?3
        ON CONFLICT DO UPDATE SET version = max(version, excluded.version)
        """,
        "DELETE FROM item_version WHERE provider = ?1 AND domain = ?2 AND item = ?3 AND ?4 <> ?3",
        "UPDATE kept_version SET item = ?4 WHERE provider = ?1 AND domain = ?2 AND item = ?3",
        "UPDATE OR REPLACE version_rule SET item = ?4 WHERE provider = ?1 AND domain = ?2 AND item = ?3",
        "UPDATE OR IGNORE partial_download SET item = ?4 WHERE provider = ?1 AND domain = ?2 AND item = ?3",
        "UPDATE OR REPLACE sent_version SET item = ?4 WHERE provider = ?1 AND domain = ?2 AND item = ?3",
        "UPDATE OR REPLACE held_listing SET item = ?4 WHERE provider = ?1 AND domain = ?2 AND item = ?3",
    ]

    static let aliases = [
        "UPDATE item_alias SET target = ?4 WHERE provider = ?1 AND domain = ?2 AND target = ?3",
        "DELETE FROM item_alias WHERE provider = ?1 AND domain = ?2 AND item = ?4 AND ?3 <> ?4",
        "INSERT OR REPLACE INTO item_alias (provider, domain, item, target) VALUES (?1, ?2, ?3, ?4)",
    ]

    /// Rights, and what was recorded as used or as a favourite.
    static let rights = access + RecentTables.follow

    private static func samePrincipal(_ left: String, _ right: String) -> String {
        "\(left).principal_kind = \(right).principal_kind AND \(left).principal_id = \(right).principal_id"
    }

    private static let access = [
        "UPDATE bookmarks SET item = ?4, stale = 1 WHERE provider = ?1 AND domain = ?2 AND item = ?3",
        """
        UPDATE grants SET
            access = CASE WHEN 'readWrite' IN (grants.access, other.access) THEN 'readWrite' ELSE grants.access END,
            expires = CASE WHEN grants.expires IS NULL OR other.expires IS NULL THEN NULL
                ELSE max(grants.expires, other.expires) END,
            persistent = max(grants.persistent, other.persistent),
            persistable = max(grants.persistable, other.persistable),
            is_folder = max(grants.is_folder, other.is_folder),
            companions = CASE WHEN other.companions IS NULL THEN grants.companions
                WHEN grants.companions IS NULL THEN other.companions
                ELSE (SELECT json_group_array(value) FROM (
                    SELECT value FROM json_each(grants.companions)
                    UNION SELECT value FROM json_each(other.companions))) END
        FROM grants AS other WHERE grants.provider = ?1 AND grants.domain = ?2 AND grants.item = ?4
            AND other.provider = ?1 AND other.domain = ?2 AND other.item = ?3 AND ?3 <> ?4
            AND \(samePrincipal("grants", "other"))
        """,
        """
        UPDATE bookmarks SET stale = 1, grant_id = coalesce((
            SELECT kept.id FROM grants AS other JOIN grants AS kept
                ON kept.provider = ?1 AND kept.domain = ?2 AND kept.item = ?4
                AND \(samePrincipal("kept", "other"))
            WHERE other.id = grant_id), grant_id)
        WHERE grant_id IN (SELECT id FROM grants WHERE provider = ?1 AND domain = ?2 AND item = ?3)
        """,
        """
        DELETE FROM grants WHERE provider = ?1 AND domain = ?2 AND item = ?3 AND EXISTS (
            SELECT 1 FROM grants AS other WHERE other.provider = ?1 AND other.domain = ?2 AND other.item = ?4
                AND \(samePrincipal("grants", "other")))
        """,
        "UPDATE grants SET item = ?4 WHERE provider = ?1 AND domain = ?2 AND item = ?3",
    ]
}

extension GrantStore {
    /// Updates the memory after ``ItemIndex/rekey(_:to:local:at:)``: reads both keys again from the database, in commit
    /// order.
    package func rekeyed(from old: ItemKey, to new: ItemKey) async throws {
        try await reload([old, new])
    }

    /// The first half of ``rekeyed(from:to:)``: the new key gets its grants; the old one keeps them until the second
    /// half.
    package func rekeyed(to new: ItemKey) async throws { try await reload([new]) }
}
