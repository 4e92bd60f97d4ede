import GRDB
package import Rights
import Synchronization

extension ItemIndex {
    /// Reports every item whose record changes in a way that a search can see, after the commit that changed it and
    /// before the call that made the change returns. May be called once for a database.
    ///
    /// Triggers that only this connection has report the changes, so none is missed, whichever statement makes it. A
    /// listing that finds everything as it was reports nothing.
    /// - Parameter changed: runs on the database's thread: it must be quick and must not query the database.
    package func follow(_ changed: @escaping @Sendable ([ItemKey]) -> Void) async throws {
        let feed = ItemFeed(changed)
        try await database.write { database in
            database.add(function: feed.function)
            database.add(transactionObserver: feed, extent: .databaseLifetime)
            for (event, row, condition) in ItemFeed.triggers {
                try database.execute(
                    sql: """
                        CREATE TEMP TRIGGER search_\(event) AFTER \(event) ON main.remote_item \(condition)
                        BEGIN SELECT \(ItemFeed.name)(\(row).provider, \(row).domain, \(row).item); END
                        """)
            }
        }
    }

    /// Several items of any accounts; those that the index does not have are left out.
    package func items(_ keys: [ItemKey]) async throws -> [RemoteItem] {
        let accounts = Dictionary(grouping: keys.filter(\.isStorable)) {
            SearchAccount.Identity(provider: $0.provider, domain: $0.domain)
        }
        return try await database.read { database in
            try accounts.flatMap { account, keys in
                try RemoteItemTable.items(
                    database, provider: account.provider, domain: account.domain,
                    identifiers: keys.map(\.identifier)
                ).values
            }
        }
    }

    /// The items of an account in the order of their identifiers, part by part.
    ///
    /// - Parameter last: the last identifier of the part before.
    package func items(provider: String, domain: String, after last: String, most: Int) async throws -> [RemoteItem] {
        try await database.read { database in
            try RemoteItemTable.items(
                database, where: "provider = ? AND domain = ? AND item > ? ORDER BY item LIMIT ?",
                [provider, domain, last, most])
        }
    }
}

/// Collects what a transaction changes, and reports it when it is committed.
private final class ItemFeed: TransactionObserver, Sendable {
    static let name = "docent_item_changed"

    // What a search can see of an item.
    private static let columns = [
        "parent", "name", "content_type", "size", "modified", "is_folder", "local_name", "local_version", "pinned",
        "provisional", "link_target",
    ]

    static let triggers = [
        (event: "INSERT", row: "new", condition: ""),
        (
            event: "UPDATE", row: "new",
            condition: "WHEN " + columns.map { "new.\($0) IS NOT old.\($0)" }.joined(separator: " OR ")
        ),
        (event: "DELETE", row: "old", condition: ""),
    ]

    private let pending = Mutex<[ItemKey]>([])
    private let changed: @Sendable ([ItemKey]) -> Void

    init(_ changed: @escaping @Sendable ([ItemKey]) -> Void) { self.changed = changed }

    var function: DatabaseFunction {
        DatabaseFunction(Self.name, argumentCount: 3, pure: false) { [weak self] values in
            guard let self, let provider = String.fromDatabaseValue(values[0]),
                let domain = String.fromDatabaseValue(values[1]), let item = String.fromDatabaseValue(values[2])
            else { return nil }
            pending.withLock { $0.append(ItemKey(provider: provider, domain: domain, identifier: item)) }
            return nil
        }
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseDidCommit(_ database: Database) {
        let keys = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        if !keys.isEmpty { changed(keys) }
    }

    func databaseDidRollback(_ database: Database) { pending.withLock { $0 = [] } }
}
