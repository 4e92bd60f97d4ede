package import FoundationEssentials
import GRDB
package import Rights

/// The index of remote providers' items: their last description, and their local state.
///
/// Identifiers are compared by bytes: texts that only look alike differ. A provider may report false parents; every
/// query ends all the same. A power failure may lose what a provider would report again
/// (``merge(_:provider:domain:at:isAnswer:)``, ``markUsed(_:)``). Everything else is on disk when its call returns.
package struct ItemIndex: Sendable {
    let database: HostDatabase

    /// Uses a database.
    package init(database: HostDatabase) {
        self.database = database
    }

    /// The unfinished downloads.
    package var partials: PartialDownloadStore { PartialDownloadStore(database: database) }

    /// One item; nil when the index does not have it.
    package func item(_ key: ItemKey) async throws -> RemoteItem? {
        try await database.read { try RemoteItemTable.item($0, key) }
    }

    /// The child with a name. If a provider has several, the one that was created here is returned, else the one with
    /// the first identifier.
    package func child(named name: String, of folder: ItemKey) async throws -> RemoteItem? {
        guard name.isStorable, folder.isStorable else { return nil }
        return try await database.read { database in
            try RemoteItemTable.items(
                database,
                where: """
                    provider = ?1 AND domain = ?2 AND parent = ?3 AND name = ?4 AND item <> ?3
                    ORDER BY provisional DESC, item LIMIT 1
                    """, [folder.provider, folder.domain, folder.identifier, name]
            ).first
        }
    }

    /// Children by name, in byte order.
    ///
    /// - Parameters:
    ///   - name: the last name of the page before.
    ///   - limit: the page size; a page is longer when several children share its last name.
    package func children(of folder: ItemKey, after name: String?, limit: Int) async throws -> [RemoteItem] {
        guard folder.isStorable, limit > 0, name?.isStorable ?? true else { return [] }
        return try await database.read { database in
            let here = "provider = ?1 AND domain = ?2 AND parent = ?3 AND item <> ?3"
            let key: StatementArguments = [folder.provider, folder.domain, folder.identifier]
            var page =
                if let name {
                    try RemoteItemTable.items(
                        database, where: "\(here) AND name > ?4 ORDER BY name, item LIMIT ?5", key + [name, limit])
                } else {
                    try RemoteItemTable.items(database, where: "\(here) ORDER BY name, item LIMIT ?4", key + [limit])
                }
            if page.count == limit, let last = page.last {
                page += try RemoteItemTable.items(
                    database, where: "\(here) AND name = ?4 AND item > ?5 ORDER BY item",
                    key + [last.description.name, last.key.identifier])
            }
            return page
        }
    }

    /// The identifiers of a folder's children, unordered, and when each was last checked: little data for each, for
    /// very large folders.
    package func checkedChildren(of folder: ItemKey) async throws -> [(identifier: String, checked: Date?)] {
        guard folder.isStorable else { return [] }
        return try await database.read { database in
            try RemoteItemTable.marks(database, of: folder).map {
                ($0.identifier.text, $0.checked.map(Date.init(milliseconds:)))
            }
        }
    }

    /// Those children of a folder that are folders or have a local copy; none if nothing of the account has a copy.
    package func copiesAndFolders(in folder: ItemKey) async throws -> [RemoteItem] {
        guard folder.isStorable else { return [] }
        return try await database.read { database in
            try RemoteItemTable.items(
                database,
                where: """
                    provider = ?1 AND domain = ?2 AND parent = ?3 AND item <> ?3
                        AND (is_folder = 1 OR local_name IS NOT NULL)
                        AND EXISTS (SELECT 1 FROM remote_item
                            WHERE provider = ?1 AND domain = ?2 AND local_name IS NOT NULL)
                    """, [folder.provider, folder.domain, folder.identifier])
        }
    }

    /// Everything below a folder, unordered, without the folder itself.
    package func descendants(of folder: ItemKey) async throws -> [RemoteItem] {
        guard folder.isStorable else { return [] }
        return try await database.read { database in
            try RemoteItemTable.items(
                database,
                where: """
                    provider = ?1 AND domain = ?2 AND item <> ?3 AND item IN (
                        WITH RECURSIVE below (item) AS (
                            VALUES (?3)
                            UNION
                            SELECT r.item FROM below CROSS JOIN remote_item AS r
                                ON r.provider = ?1 AND r.domain = ?2 AND r.parent = below.item
                        ) SELECT item FROM below)
                    """, [folder.provider, folder.domain, folder.identifier])
        }
    }

    /// The items with a local copy, least recently used first. Both arguments narrow the result.
    package func localCopies(provider: String? = nil, domain: String? = nil) async throws -> [RemoteItem] {
        var condition = Condition()
        condition.require("local_name IS NOT NULL")
        if let provider { condition.require("provider = ?", provider) }
        if let domain { condition.require("domain = ?", domain) }
        return try await database.read { [condition] database in
            try RemoteItemTable.items(
                database, where: "\(condition.clause) ORDER BY used, provider, domain, item", condition.arguments)
        }
    }

    /// The total size of a domain's local copies in bytes, as recorded.
    package func localBytes(provider: String, domain: String) async throws -> Int64 {
        try await database.read { database in
            try Int64.fetchOne(
                database,
                sql: """
                    SELECT coalesce(sum(local_size), 0) FROM remote_item
                    WHERE local_name IS NOT NULL AND provider = ? AND domain = ?
                    """, arguments: [provider, domain]) ?? 0
        }
    }

    /// The items that the user wants kept here.
    package func pinned(provider: String, domain: String) async throws -> [RemoteItem] {
        try await database.read { database in
            try RemoteItemTable.items(
                database, where: "pinned = 1 AND provider = ? AND domain = ? ORDER BY item", [provider, domain])
        }
    }

    /// The domains with items that the user wants kept here.
    package func pinnedDomains() async throws -> [(provider: String, domain: String)] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT DISTINCT provider, domain FROM remote_item WHERE pinned = 1")
                .map { ($0["provider"], $0["domain"]) }
        }
    }

    /// The folders that were listed and have been used recently.
    package func listedFolders(provider: String, domain: String, usedSince moment: Date) async throws -> [RemoteItem] {
        try await database.read { database in
            try RemoteItemTable.items(
                database,
                where: """
                    provider = ? AND domain = ? AND is_folder = 1 AND listed IS NOT NULL AND used >= ?
                    ORDER BY used DESC
                    """, [provider, domain, moment.milliseconds])
        }
    }

    /// The folders of a domain whose listing waits to be accepted.
    package func heldListings(provider: String, domain: String) async throws -> [HeldListing] {
        try await database.read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM held_listing WHERE provider = ? AND domain = ? ORDER BY item",
                arguments: [provider, domain]
            ).map(HeldListing.init(row:))
        }
    }

    /// The folders of all domains whose listing waits to be accepted.
    package func heldListings() async throws -> [HeldListing] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM held_listing ORDER BY since, provider, domain, item")
                .map(HeldListing.init(row:))
        }
    }

    /// The current key of an item that had this key before it was renamed or first sent; nil when the key never
    /// changed. Only for keys that ``item(_:)`` does not know: an identifier may be reused.
    package func alias(of key: ItemKey) async throws -> ItemKey? {
        guard key.isStorable else { return nil }
        return try await database.read { database in
            try String.fetchOne(
                database, sql: "SELECT target FROM item_alias WHERE provider = ? AND domain = ? AND item = ?",
                arguments: [key.provider, key.domain, key.identifier]
            ).map(key.sibling)
        }
    }

    /// Every former key with the current key of its item.
    package func aliases() async throws -> [(former: ItemKey, now: ItemKey)] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM item_alias").map { row in
                let former = ItemKey(row: row)
                return (former, former.sibling(row["target"]))
            }
        }
    }

    /// Whether the index has anything of a provider.
    package func knows(provider: String) async throws -> Bool {
        try await database.read { database in
            try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM remote_item WHERE provider = ?)", arguments: [provider])
                ?? false
        }
    }

    /// Where the provider's list of changes continues; nil before the first look.
    package func anchor(provider: String, domain: String) async throws -> String? {
        try await database.read { database in
            try String.fetchOne(
                database, sql: "SELECT anchor FROM domain_anchor WHERE provider = ? AND domain = ?",
                arguments: [provider, domain])
        }
    }
}

extension HeldListing {
    init(row: Row) {
        self.init(
            folder: ItemKey(row: row), before: row["known"], after: row["listed"],
            since: Date(milliseconds: row["since"]))
    }
}
