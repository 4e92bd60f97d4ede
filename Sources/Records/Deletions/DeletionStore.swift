package import FoundationEssentials
import GRDB
package import Rights

/// The deletions that can still be taken back, and the user's rules about them. Every change is durable before its call
/// returns.
package struct DeletionStore: Sendable {
    private let database: HostDatabase

    /// Uses a database.
    package init(database: HostDatabase) { self.database = database }

    /// Records a deletion. From here on, ``ItemIndex`` takes in nothing that a provider says of these items.
    ///
    /// - Parameter items: what goes with it, the item itself first.
    /// - Throws: ``IndexError`` if something cannot be stored.
    package func record(_ deletion: PendingDeletion, _ items: [DeletedItem]) async throws {
        guard deletion.isStorable, items.allSatisfy(\.description.isStorable) else {
            throw IndexError.unusableDescription
        }
        try await database.write { try DeletionTable.record($0, deletion, items) }
    }

    /// All deletions, oldest first. The arguments narrow the selection.
    package func all(provider: String? = nil, domain: String? = nil) async throws -> [PendingDeletion] {
        var condition = Condition()
        if let provider { condition.require("provider = ?", provider) }
        if let domain { condition.require("domain = ?", domain) }
        return try await database.read { [condition] database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM pending_deletion\(condition.sql) ORDER BY number",
                arguments: condition.arguments
            ).map(PendingDeletion.init(row:))
        }
    }

    /// One deletion; nil if there is none.
    package func deletion(_ id: String) async throws -> PendingDeletion? {
        try await database.read { try DeletionTable.deletion($0, id) }
    }

    /// The items that go with a deletion, the item itself first.
    package func items(of id: String) async throws -> [DeletedItem] {
        try await database.read { try DeletionTable.items($0, of: id) }
    }

    /// The items of these identifiers that are being deleted, each with its deletion.
    package func known(
        _ identifiers: Set<String>, in domain: ItemKey
    ) async throws -> [BytewiseText: (deletion: String, item: DeletedItem)] {
        let usable = identifiers.filter(\.isStorable)
        return try await database.read { database in
            try DeletionTable.known(database, usable, provider: domain.provider, domain: domain.domain)
        }
    }

    /// Whether an item, or the folder it is in, is being deleted.
    package func isDeleted(_ key: ItemKey, in folder: String?) async throws -> Bool {
        try await !known(Set([key.identifier, folder].compactMap(\.self)), in: key).isEmpty
    }

    /// Records that a deletion is wanted now, and is not taken back any more.
    package func setWanted(_ id: String) async throws {
        try await database.write { database in
            try database.execute(sql: "UPDATE pending_deletion SET is_wanted = 1 WHERE id = ?", arguments: [id])
        }
    }

    /// Records that a deletion's items are as they were.
    package func clearSuspicion(_ id: String) async throws {
        try await database.write { database in
            try database.execute(sql: "UPDATE pending_deletion SET is_suspect = 0 WHERE id = ?", arguments: [id])
        }
    }

    /// Lets the period of a deletion begin again.
    package func extend(_ id: String, from created: Date, to due: Date) async throws {
        try await database.write { database in
            try database.execute(
                sql: "UPDATE pending_deletion SET created = ?, due = ? WHERE id = ?",
                arguments: [created.milliseconds, due.milliseconds, id])
        }
    }

    /// Records that a deletion was carried out. The user cannot take it back any more.
    package func finish(_ id: String) async throws {
        try await database.write { database in
            try DeletionTable.remove(database, id)
            try database.execute(
                sql: "UPDATE undoable_change SET is_trashed = 0, trashed = NULL WHERE id = ?", arguments: [id])
        }
    }

    /// Records that a deletion is not carried out: its account is no longer used here.
    package func abandon(_ id: String, at now: Date = .now) async throws {
        try await database.write { database in
            try DeletionTable.remove(database, id)
            try UndoStore.markUndone(database, id, at: now)
        }
    }

    /// The item of a deletion that was recorded and not carried out; nil while it waits, and once it was.
    package func takenBack(_ id: String) async throws -> ItemKey? {
        guard id.isStorable else { return nil }
        return try await database.read { database in
            guard try DeletionTable.deletion(database, id) == nil else { return nil }
            return try Row.fetchOne(
                database, sql: "SELECT * FROM undoable_change WHERE id = ? AND kind = ? AND is_trashed = 1",
                arguments: [id, UndoableChange.Kind.delete.rawValue]
            ).map(ItemKey.init(row:))
        }
    }

    // MARK: Rules

    /// For how many seconds deletions can be taken back: in all accounts (nil), and in accounts of their own rule.
    package func rules() async throws -> [(account: ItemKey?, seconds: Int)] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM deletion_rule ORDER BY provider, domain").map { row in
                let provider: String = row["provider"]
                let root = ItemKey(
                    provider: provider, domain: row["domain"], identifier: ItemKey.rootIdentifier)
                return (provider.isEmpty ? nil : root, row["seconds"])
            }
        }
    }

    /// Sets or forgets (nil) a rule.
    ///
    /// - Parameter account: the top folder of an account; nil for all of them.
    package func setRule(_ seconds: Int?, of account: ItemKey?) async throws {
        let (provider, domain) = (account?.provider ?? "", account?.domain ?? "")
        guard provider.isStorable, domain.isStorable else { throw IndexError.unusableDescription }
        try await database.write { database in
            guard let seconds else {
                return try database.execute(
                    sql: "DELETE FROM deletion_rule WHERE provider = ? AND domain = ?", arguments: [provider, domain])
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO deletion_rule (provider, domain, seconds) VALUES (?, ?, ?)",
                arguments: [provider, domain, seconds])
        }
    }
}
