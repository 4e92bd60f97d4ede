package import FoundationEssentials
import GRDB
package import Rights

/// The changes that the user may take back, newest last. Durable; bounded by number and age.
package struct UndoStore: Sendable {
    /// How many changes are remembered.
    package static let mostChanges = 20_000
    /// For how many seconds a change is remembered.
    package static let longestSeconds = 30 * 24 * 3600.0

    // A change forgets some of the oldest, so that its cost does not grow with their number.
    private static let forgottenAtOnce = 100

    private let database: HostDatabase
    private let most: Int

    /// Uses a database.
    ///
    /// - Parameter most: how many changes are remembered.
    package init(database: HostDatabase, most: Int = mostChanges) {
        self.database = database
        self.most = most
    }

    /// Records a change, unless it is recorded already, and forgets the oldest ones beyond the limits.
    package func add(_ change: UndoableChange, at now: Date = .now) async throws {
        try await database.write { [most] in try Self.add($0, change, at: now, most: most) }
    }

    static func add(
        _ database: Database, _ change: UndoableChange, at now: Date, most: Int = mostChanges
    ) throws {
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
                DELETE FROM undoable_change
                    WHERE number IN (SELECT number FROM undoable_change ORDER BY number LIMIT ?)
                    AND (created < ? OR number <= (SELECT max(number) FROM undoable_change) - ?)
                """,
            arguments: [forgottenAtOnce, now.addingTimeInterval(-longestSeconds).milliseconds, most])
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

    /// The changes of a client since a moment that were not taken back, newest first.
    ///
    /// - Parameters:
    ///   - number: the number of the change after which the page begins; nil for the first page.
    /// - Returns: the changes with their numbers.
    package func changes(
        by client: String, since start: Date, after number: Int64? = nil, limit: Int, at now: Date = .now
    ) async throws -> [(number: Int64, change: UndoableChange)] {
        let start = max(start, now.addingTimeInterval(-Self.longestSeconds))
        return try await database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM undoable_change
                    WHERE principal_id = ? AND undone IS NULL AND created >= ? AND number < ?
                    ORDER BY number DESC LIMIT ?
                    """,
                arguments: [client, start.milliseconds, number ?? .max, limit]
            ).compactMap { row in UndoableChange(row: row).map { (row["number"], $0) } }
        }
    }

    /// A change that was not taken back.
    package func change(_ id: String) async throws -> UndoableChange? {
        guard id.isStorable else { return nil }
        return try await database.read { database in
            try Row.fetchOne(
                database, sql: "SELECT * FROM undoable_change WHERE id = ? AND undone IS NULL", arguments: [id]
            ).flatMap(UndoableChange.init(row:))
        }
    }

    /// The saves of the same document after a save, taken back or not, oldest first.
    package func saves(after change: UndoableChange) async throws -> [UndoableChange] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM undoable_change
                    WHERE number > (SELECT number FROM undoable_change WHERE id = ?) AND kind = ?
                        AND provider = ? AND domain = ? AND item = ?
                    ORDER BY number
                    """,
                arguments: [
                    change.id, UndoableChange.Kind.overwrite.rawValue, change.key.provider, change.key.domain,
                    change.key.identifier,
                ]
            ).compactMap(UndoableChange.init(row:))
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
