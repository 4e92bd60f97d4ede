package import FoundationEssentials
import GRDB
package import Rights

/// The changes that the user may take back, newest last. Durable; bounded by number and age.
package struct UndoStore: Sendable {
    /// How many changes are remembered.
    package static let mostChanges = 500
    /// For how many seconds a change is remembered.
    package static let longestSeconds = 30 * 24 * 3600.0

    private let database: HostDatabase

    /// Uses a database.
    package init(database: HostDatabase) { self.database = database }

    /// Records a change, unless it is recorded already, and forgets the oldest ones beyond the limits.
    package func add(_ change: UndoableChange, at now: Date = .now) async throws {
        try await database.write { try Self.add($0, change, at: now) }
    }

    static func add(_ database: Database, _ change: UndoableChange, at now: Date) throws {
        let texts = [change.name, change.parent, change.formerName, change.formerParent, change.id]
        guard change.key.isStorable, texts.allSatisfy(\.isStorable),
            [change.version, change.trashed, change.keptVersion].allSatisfy({ $0?.isStorable ?? true })
        else { return }
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO undoable_change
                    (id, principal_kind, principal_id, kind, provider, domain, item, name, parent, former_name,
                     former_parent, is_folder, version, is_trashed, trashed, kept_version, created)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                change.id, change.principal.kind.rawValue, change.principal.identifier, change.kind.rawValue,
                change.key.provider, change.key.domain, change.key.identifier, change.name, change.parent,
                change.formerName, change.formerParent, change.isFolder, change.version, change.isTrashed,
                change.trashed, change.keptVersion, change.created.milliseconds,
            ])
        try database.execute(
            sql: """
                DELETE FROM undoable_change WHERE created < ?
                    OR number <= (SELECT max(number) FROM undoable_change) - ?
                """,
            arguments: [now.addingTimeInterval(-longestSeconds).milliseconds, mostChanges])
    }

    /// The last change that was not taken back.
    package func last(at now: Date = .now) async throws -> UndoableChange? {
        try await database.read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT * FROM undoable_change WHERE undone IS NULL AND created >= ? ORDER BY number DESC LIMIT 1
                    """,
                arguments: [now.addingTimeInterval(-Self.longestSeconds).milliseconds]
            ).flatMap(UndoableChange.init(row:))
        }
    }

    /// A change that was taken back.
    package func undone(_ id: String) async throws -> UndoableChange? {
        guard id.isStorable else { return nil }
        return try await database.read { database in
            try Row.fetchOne(
                database, sql: "SELECT * FROM undoable_change WHERE id = ? AND undone IS NOT NULL", arguments: [id]
            ).flatMap(UndoableChange.init(row:))
        }
    }

    /// Records that a change was taken back.
    package func markUndone(_ id: String, at now: Date = .now) async throws {
        guard id.isStorable else { return }
        try await database.write { try Self.markUndone($0, id, at: now) }
    }

    static func markUndone(_ database: Database, _ id: String, at now: Date) throws {
        try database.execute(
            sql: "UPDATE undoable_change SET undone = ? WHERE id = ? AND undone IS NULL",
            arguments: [now.milliseconds, id])
    }
}
