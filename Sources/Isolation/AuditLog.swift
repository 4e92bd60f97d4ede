package import FoundationEssentials
import GRDB
import Synchronization

/// The record of what was granted, revoked, refused and opened (I4).
///
/// Grants and revocations are written by ``GrantStore`` in the transaction of the change itself. Refusals are durable
/// before their call returns. Allowed opens are counted in memory, and ``run()`` writes the counts each second.
package final class AuditLog: Sendable {
    private struct Key: Hashable {
        let principal: Principal
        let item: ItemKey
        let access: AccessLevel
        let minute: Int64
    }

    private struct Tally {
        var count: Int
        var first: Date
        var last: Date

        var empty: Tally { Tally(count: 0, first: first, last: last) }

        mutating func add(_ more: Int, _ first: Date, _ last: Date) {
            count += more
            self.first = min(self.first, first)
            self.last = max(self.last, last)
        }
    }

    private let database: IsolationDatabase
    private let opens = Mutex<[Key: Tally]>([:])
    private let onFailure: @Sendable (any Error) -> Void

    /// Uses a database.
    /// - Parameter onFailure: told when counts could not be written; they are kept and tried again.
    package init(database: IsolationDatabase, onFailure: @escaping @Sendable (any Error) -> Void = { _ in }) {
        self.database = database
        self.onFailure = onFailure
    }

    /// Counts an allowed open. Memory only; from any thread.
    package func noteOpened(_ principal: Principal, _ item: ItemKey, _ access: AccessLevel, at moment: Date = .now) {
        guard principal.kind != .unknown else { return }
        let key = Key(principal: principal, item: item, access: access, minute: moment.minute)
        opens.withLock { $0[key, default: Tally(count: 0, first: moment, last: moment)].add(1, moment, moment) }
    }

    /// Records a refusal, durably before this returns. Like refusals of one minute are one entry, so that a client that
    /// asks again and again fills no disk.
    /// - Throws: ``IsolationError``.
    package func recordRefused(
        _ principal: Principal, _ item: ItemKey, _ access: AccessLevel, reason: String, at moment: Date = .now
    ) async throws {
        try await database.write { database in
            try Self.aggregate(
                database, .refused, principal: principal, item: item, access: access, detail: reason, count: 1,
                first: moment, last: moment)
        }
    }

    /// Writes the counts each second until the task is cancelled, and once more then.
    package func run() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            do { try await flush() } catch { onFailure(error) }
        }
    }

    /// Writes the counts now.
    /// - Throws: ``IsolationError``; the counts are kept.
    package func flush() async throws {
        let taken = opens.withLock { opens in
            defer { opens = [:] }
            return opens
        }
        if taken.isEmpty { return }
        do {
            try await database.write { database in
                for (key, tally) in taken {
                    try Self.aggregate(
                        database, .opened, principal: key.principal, item: key.item, access: key.access, detail: "",
                        count: tally.count, first: tally.first, last: tally.last)
                }
            }
        } catch {
            opens.withLock { opens in
                for (key, tally) in taken { opens[key, default: tally.empty].add(tally.count, tally.first, tally.last) }
            }
            throw error
        }
    }

    /// The newest entries that match, newest first.
    /// - Parameters:
    ///   - events: nil for all.
    ///   - start: leaves out what last happened before.
    ///   - limit: the most entries to give.
    package func entries(
        _ filter: GrantFilter = GrantFilter(), events: Set<AuditEntry.Event>? = nil, since start: Date? = nil,
        limit: Int = 100
    ) async throws -> [AuditEntry] {
        try await database.read { database in
            var condition = filter.condition
            if let start { condition.require("last >= ?", start.milliseconds) }
            if let events {
                let names = events.map(\.rawValue).sorted()
                condition.require("event IN (SELECT value FROM json_each(?))", try JSONText.encode(names))
            }
            return try Row.fetchAll(
                database, sql: "SELECT * FROM audit\(condition.sql) ORDER BY id DESC LIMIT ?",
                arguments: condition.arguments + [max(0, limit)]
            ).compactMap(AuditEntry.init(row:))
        }
    }

    /// Removes entries that last happened before a moment, and all but the newest ones.
    /// - Returns: how many were removed.
    @discardableResult
    package func prune(before moment: Date, keeping limit: Int = 200_000) async throws -> Int {
        try await database.write { database in
            try database.execute(sql: "DELETE FROM audit WHERE last < ?", arguments: [moment.milliseconds])
            let old = database.changesCount
            try database.execute(
                sql: "DELETE FROM audit WHERE id <= (SELECT id FROM audit ORDER BY id DESC LIMIT 1 OFFSET ?)",
                arguments: [max(0, limit)])
            return old + database.changesCount
        }
    }

    static func append(
        _ database: Database, _ event: AuditEntry.Event, principal: Principal, item: ItemKey, access: AccessLevel,
        detail: String, at moment: Date
    ) throws {
        try aggregate(
            database, event, principal: principal, item: item, access: access, detail: detail, count: 1, first: moment,
            last: moment)
    }

    /// Adds to the entry of the same minute where the index says that the event is one that is counted.
    private static func aggregate(
        _ database: Database, _ event: AuditEntry.Event, principal: Principal, item: ItemKey, access: AccessLevel,
        detail: String, count: Int, first: Date, last: Date
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO audit (event, minute, principal_kind, principal_id, provider, domain, item, access, detail,
                    count, first, last)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (minute, principal_kind, principal_id, provider, domain, item, event, access, detail)
                    WHERE event IN ('opened', 'refused')
                DO UPDATE SET count = count + excluded.count, first = min(first, excluded.first),
                    last = max(last, excluded.last)
                """,
            arguments: [
                event.rawValue, first.minute, principal.kind.rawValue, principal.identifier, item.provider, item.domain,
                item.identifier, access.rawValue, detail, count, first.milliseconds, last.milliseconds,
            ])
    }
}

extension Date {
    fileprivate var minute: Int64 { Int64((timeIntervalSince1970 / 60).rounded(.down)) }
}
