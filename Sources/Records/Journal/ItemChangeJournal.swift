package import FoundationEssentials
import GRDB
package import Rights

/// The started moves, deletions and new folders. Changes that a kill interrupted are found here, and a client that
/// repeats an operation gets its outcome. Durable. There are never many: they are stored in the settings table.
package struct ItemChangeJournal: Sendable {
    private static let prefix = "item change "
    // How long, in seconds, the outcome of a finished change is available.
    private static let keptSeconds = 24 * 3600.0

    private let database: HostDatabase

    /// Uses a database.
    package init(database: HostDatabase) { self.database = database }

    /// Records a change or its outcome.
    package func save(_ change: ItemChange) async throws {
        try await database.write { try Self.save($0, change) }
    }

    /// Records that everything about a change is done. From then on the user can take it back; a change that takes back
    /// another one ends the other's record.
    package func finish(_ change: ItemChange, at now: Date = .now) async throws {
        var done = change
        done.isFinished = true
        try await database.write { [done] database in
            try Self.save(database, done)
            if let undone = done.undoes {
                try UndoStore.markUndone(database, undone, at: now)
            } else if let change = UndoableChange(done) {
                try UndoStore.add(database, change, at: now)
            }
        }
    }

    static func save(_ database: Database, _ change: ItemChange) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)",
            arguments: [prefix + change.id, try JSONText.encode(change)])
    }

    /// Removes a change that did not happen.
    package func remove(_ change: ItemChange) async throws {
        try await database.write { database in
            try database.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [Self.prefix + change.id])
        }
    }

    /// The change that a client began under a name; nil when there is none.
    package func change(_ operation: String, _ principal: Principal) async throws -> ItemChange? {
        try await all().last { $0.operation == operation && $0.principal == principal }
    }

    /// The unfinished changes, oldest first. Removes changes that finished long ago.
    package func pending(at now: Date = .now) async throws -> [ItemChange] {
        let all = try await all()
        for old in all where old.isFinished && now.timeIntervalSince(old.created) > Self.keptSeconds {
            try await remove(old)
        }
        return all.filter { !$0.isFinished }
    }

    private func all() async throws -> [ItemChange] {
        try await database.read { database in
            try String.fetchAll(
                database, sql: "SELECT value FROM setting WHERE substr(name, 1, length(?1)) = ?1",
                arguments: [Self.prefix]
            ).compactMap { try? JSONDecoder().decode(ItemChange.self, from: Data($0.utf8)) }
        }.sorted { $0.created < $1.created }
    }
}
