package import FoundationEssentials
import GRDB

extension ItemIndex {
    /// Follows an item to the identifier that its provider has given or confirmed for it: a provisional item that was
    /// sent, or one whose identifier changed by a rename (F1).
    ///
    /// One transaction over the item, its children, grants (where the new key has one for the same principal, the wider
    /// access wins) with their bookmarks (which become stale, G5), operations, kept versions and the partial
    /// download; the old key becomes an alias. The item's own copy here stays; its folder on disk is the caller's.
    /// May be repeated.
    ///
    /// Call ``GrantStore/rekeyed(from:to:)`` afterwards: its table in memory does not follow by itself.
    /// - Parameter local: the copy in the new identifier's folder, which the caller has put there; without one the record
    ///   of the old copy is taken along as it is.
    /// - Throws: ``IndexError``, ``IsolationError``.
    package func rekey(
        _ key: ItemKey, to description: ItemDescription, local: LocalCopy? = nil, at moment: Date = .now
    ) async throws {
        let new = key.sibling(description.identifier)
        guard key.isStorable, new.isStorable, description.isStorable else { throw IndexError.unusableDescription }
        try await database.write { database in
            let old = try RemoteItemTable.item(database, key)
            // What a listing may have brought meanwhile.
            let present = key == new ? nil : try RemoteItemTable.item(database, new)
            try RemoteItemTable.save(
                database,
                RemoteItem(
                    key: new, description: description, checked: moment, listed: old?.listed ?? present?.listed,
                    isProvisional: false, local: local ?? old?.local ?? present?.local,
                    isPinned: old?.isPinned ?? false || present?.isPinned ?? false,
                    lastUsed: [old?.lastUsed, present?.lastUsed].compactMap(\.self).max()))
            guard key != new else { return }
            try RemoteItemTable.delete(database, key)
            for statement in Self.followers {
                try database.execute(
                    sql: statement, arguments: [key.provider, key.domain, key.identifier, new.identifier])
            }
        }
    }

    // ?1 provider, ?2 domain, ?3 the old identifier, ?4 the new one.
    private static let followers =
        grants + [
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
            "UPDATE OR IGNORE partial_download SET item = ?4 WHERE provider = ?1 AND domain = ?2 AND item = ?3",
            "UPDATE OR REPLACE held_listing SET item = ?4 WHERE provider = ?1 AND domain = ?2 AND item = ?3",
            "UPDATE item_alias SET target = ?4 WHERE provider = ?1 AND domain = ?2 AND target = ?3",
            "DELETE FROM item_alias WHERE provider = ?1 AND domain = ?2 AND item = ?4 AND ?3 <> ?4",
            "INSERT OR REPLACE INTO item_alias (provider, domain, item, target) VALUES (?1, ?2, ?3, ?4)",
        ]

    private static func samePrincipal(_ left: String, _ right: String) -> String {
        "\(left).principal_kind = \(right).principal_kind AND \(left).principal_id = \(right).principal_id"
    }

    private static let grants = [
        """
        UPDATE grants SET access = 'readWrite' WHERE provider = ?1 AND domain = ?2 AND item = ?4 AND access = 'read'
            AND EXISTS (SELECT 1 FROM grants AS other WHERE other.provider = ?1 AND other.domain = ?2
                AND other.item = ?3 AND other.access = 'readWrite' AND \(samePrincipal("grants", "other")))
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
    /// Lets memory follow ``ItemIndex/rekey(_:to:at:)``: both keys are read again from the database, in the order of
    /// the commits.
    package func rekeyed(from old: ItemKey, to new: ItemKey) async throws {
        try await reload([old, new])
    }

    /// The first half of ``rekeyed(from:to:)``: the new key has its grants, and the old one keeps them until the other half.
    package func rekeyed(to new: ItemKey) async throws { try await reload([new]) }
}
