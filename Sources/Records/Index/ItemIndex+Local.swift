package import FoundationEssentials
import GRDB
package import Rights

// Local state only: copies, pins, use, provisional items, and facts about domains.
extension ItemIndex {
    /// Records the copy on disk, or that there is none. Durable. Has no effect on an unknown item.
    package func setLocal(_ key: ItemKey, _ copy: LocalCopy?) async throws {
        guard key.isStorable else { return }
        try await database.write { try Self.setLocal($0, key, copy) }
    }

    static func setLocal(_ database: Database, _ key: ItemKey, _ copy: LocalCopy?) throws {
        try database.execute(
            sql: """
                UPDATE remote_item SET local_name = ?, local_version = ?, local_size = ?
                WHERE provider = ? AND domain = ? AND item = ?
                """,
            arguments: [copy?.name, copy?.version, copy?.size, key.provider, key.domain, key.identifier])
    }

    /// Records whether the user wants items kept here.
    package func setPinned(_ keys: [ItemKey], _ pinned: Bool) async throws {
        try await database.write { database in
            let statement = try database.cachedStatement(
                sql: "UPDATE remote_item SET pinned = ? WHERE provider = ? AND domain = ? AND item = ?")
            for key in keys where key.isStorable {
                try statement.execute(arguments: [pinned, key.provider, key.domain, key.identifier])
            }
        }
    }

    /// Records when items were used. The latest time wins.
    package func markUsed(_ moments: [ItemKey: Date]) async throws {
        guard !moments.isEmpty else { return }
        try await database.writeRelearnable { database in
            let statement = try database.cachedStatement(
                sql: """
                    UPDATE remote_item SET used = max(coalesce(used, ?1), ?1)
                    WHERE provider = ?2 AND domain = ?3 AND item = ?4
                    """)
            for (key, moment) in moments where key.isStorable {
                try statement.execute(arguments: [moment.milliseconds, key.provider, key.domain, key.identifier])
            }
        }
    }

    /// Adds an item that was created here and that the provider does not know yet. Durable. An item that is already
    /// known stays, unless it is provisional too: then its description is replaced.
    /// - Throws: ``IndexError``, ``HostDatabaseError``.
    package func insertProvisional(_ description: ItemDescription, provider: String, domain: String) async throws {
        let key = ItemKey(provider: provider, domain: domain, identifier: description.identifier)
        guard key.isStorable, description.isStorable else { throw IndexError.unusableDescription }
        try await database.write { database in
            var item =
                try RemoteItemTable.item(database, key)
                ?? RemoteItem(key: key, description: description, isProvisional: true)
            guard item.isProvisional else { return }
            item.description = description
            try RemoteItemTable.save(database, item)
        }
    }

    /// Records where the provider's list of changes continues; nil to start over.
    package func setAnchor(_ anchor: String?, provider: String, domain: String) async throws {
        try await database.write { database in
            if let anchor, anchor.isStorable {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO domain_anchor (provider, domain, anchor) VALUES (?, ?, ?)",
                    arguments: [provider, domain, anchor])
            } else {
                try database.execute(
                    sql: "DELETE FROM domain_anchor WHERE provider = ? AND domain = ?", arguments: [provider, domain])
            }
        }
    }

    /// Removes the content of a signed-out domain, like ``removeDomain(provider:domain:)``, but keeps the aliases:
    /// after a login, grants for and references to documents that have moved work again.
    package func forgetContent(provider: String, domain: String) async throws {
        try await remove(Self.contentTables, provider, domain)
    }

    private static let contentTables = [
        "remote_item", "held_listing", "domain_anchor", "partial_download", "sent_version",
    ]

    /// Removes a domain: items, aliases, held listings, partial downloads, anchor. Grants, operations and kept versions
    /// stay.
    package func removeDomain(provider: String, domain: String) async throws {
        try await remove(Self.contentTables + ["item_alias"], provider, domain)
    }

    private func remove(_ tables: [String], _ provider: String, _ domain: String) async throws {
        try await database.write { database in
            for table in tables {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE provider = ? AND domain = ?", arguments: [provider, domain])
            }
        }
    }
}
