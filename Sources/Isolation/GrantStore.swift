package import FoundationEssentials
import GRDB
import Synchronization

/// Who may reach which document (G7).
///
/// ``check(_:_:_:)`` reads memory under a short lock, from any thread (L1). Changes are on disk before memory follows
/// and before their call returns (I4); memory follows in the order in which the changes were stored.
package final class GrantStore: Sendable {
    private struct State {
        var index = GrantIndex()
        var generation: UInt64 = 0
        var observers: [UInt64: @Sendable (Revocation) -> Void] = [:]
        var nextObserver: UInt64 = 0
    }

    private let database: IsolationDatabase
    private let state = Mutex(State())

    /// Reads all grants into memory.
    /// - Throws: ``IsolationError``.
    package init(database: IsolationDatabase) async throws {
        self.database = database
        let grants = try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT \(Grant.columns) FROM grants").compactMap(Grant.init(row:))
        }
        state.withLock { state in
            for grant in grants { state.index.insert(grant) }
        }
    }

    /// The grant by which a principal may reach a document, or nil: then it may not (law 2).
    ///
    /// Never blocks on the disk.
    package func check(_ principal: Principal, _ item: ItemKey, _ wanted: AccessLevel) -> Grant? {
        state.withLock { $0.index.grant(for: principal, item: item, wanted: wanted) }
    }

    /// The live grants that a filter means, oldest first.
    package func grants(_ filter: GrantFilter = GrantFilter()) -> [Grant] {
        state.withLock { $0.index.grants(matching: filter) }
    }

    /// How many revocations there have been since the store was opened.
    package var generation: UInt64 { state.withLock { $0.generation } }

    /// Gives a principal access to a document, durably before this returns.
    ///
    /// A wider grant replaces a narrower one under the same id; a narrower one leaves the wider as it is.
    /// - Returns: the grant as it now stands.
    /// - Throws: ``AccessError/unrecognisedPrincipal``, ``IsolationError``.
    @discardableResult
    package func record(
        _ principal: Principal, _ item: ItemKey, _ access: AccessLevel, origin: Grant.Origin,
        executable: String? = nil, at moment: Date = .now
    ) async throws -> Grant {
        try principal.requireKnown()
        return try await database.write { [self] database in
            let condition = Condition(principal: principal, item: item)
            let existing = try Row.fetchOne(
                database, sql: "SELECT \(Grant.columns) FROM grants\(condition.sql)", arguments: condition.arguments
            ).flatMap(Grant.init(row:))
            if let existing, existing.access >= access { return existing }
            let grant = try Self.store(
                database, existing: existing, principal: principal, item: item, access: access, origin: origin,
                executable: executable, at: moment)
            try AuditLog.append(
                database, .granted, principal: principal, item: item, access: access, detail: origin.rawValue,
                at: moment)
            followCommit(database) { $0.index.insert(grant) }
            return grant
        }
    }

    /// Takes away every grant that a filter means, with the bookmarks made from them (I3).
    ///
    /// When this returns the change is on disk, memory refuses, and every observer has been called.
    /// - Returns: the grants that are gone; empty when there were none.
    /// - Throws: ``IsolationError``; then nothing was taken away.
    @discardableResult
    package func revoke(_ filter: GrantFilter, at moment: Date = .now) async throws -> [Grant] {
        try await database.write { [self] database in
            let condition = filter.condition
            let gone = try Row.fetchAll(
                database, sql: "SELECT \(Grant.columns) FROM grants\(condition.sql) ORDER BY id",
                arguments: condition.arguments
            ).compactMap(Grant.init(row:))
            try database.execute(sql: "DELETE FROM grants\(condition.sql)", arguments: condition.arguments)
            for grant in gone {
                try AuditLog.append(
                    database, .revoked, principal: grant.principal, item: grant.item, access: grant.access,
                    detail: "", at: moment)
            }
            database.afterNextTransaction { [self] _ in announce(gone, filter: filter) }
            return gone
        }
    }

    /// Follows a document to the new identifier that its provider confirmed for it, for instance after a rename by a
    /// provider whose identifiers are paths. Grants and bookmarks go along; the bookmarks become stale (G5).
    ///
    /// - Throws: ``AccessError/identifierInUse`` when the new identifier has grants: those belong to another document.
    package func rebind(_ old: ItemKey, to new: ItemKey) async throws {
        guard old != new else { return }
        try await database.write { [self] database in
            var taken = Condition()
            taken.require(new)
            let count = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM grants\(taken.sql)", arguments: taken.arguments)
            if count != 0 { throw AccessError.identifierInUse }
            var condition = Condition()
            condition.require(old)
            let before = try Row.fetchAll(
                database, sql: "SELECT \(Grant.columns) FROM grants\(condition.sql)", arguments: condition.arguments
            ).compactMap(Grant.init(row:))
            try database.execute(
                sql: "UPDATE bookmarks SET stale = 1 WHERE grant_id IN (SELECT id FROM grants\(condition.sql))",
                arguments: condition.arguments)
            try database.execute(
                sql: "UPDATE grants SET provider = ?, domain = ?, item = ?\(condition.sql)",
                arguments: [new.provider, new.domain, new.identifier] + condition.arguments)
            followCommit(database) { state in
                for grant in before {
                    state.index.remove(grant)
                    state.index.insert(grant.moved(to: new))
                }
            }
        }
    }

    /// Calls a function at each revocation, after it is durable and before its caller is answered (I3).
    ///
    /// The function runs on the database's thread: it must be quick and must not call this store's changes.
    /// - Returns: a number for ``removeObserver(_:)``.
    package func onRevoke(_ observer: @escaping @Sendable (Revocation) -> Void) -> UInt64 {
        state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = observer
            return state.nextObserver
        }
    }

    /// Ends the calls to an observer.
    package func removeObserver(_ number: UInt64) {
        _ = state.withLock { $0.observers.removeValue(forKey: number) }
    }

    /// The revocations from now on, in order, for those who may learn of them a little later.
    package func revocations() -> AsyncStream<Revocation> {
        let (stream, continuation) = AsyncStream.makeStream(of: Revocation.self)
        let number = onRevoke { continuation.yield($0) }
        continuation.onTermination = { [weak self] _ in self?.removeObserver(number) }
        return stream
    }

    /// Reads the grants of items again, after another change of the table than this store's own.
    func reload(_ items: [ItemKey]) async throws {
        try await database.write { [self] database in
            let grants = try items.flatMap { item in
                var condition = Condition()
                condition.require(item)
                return try Row.fetchAll(
                    database, sql: "SELECT \(Grant.columns) FROM grants\(condition.sql)",
                    arguments: condition.arguments
                ).compactMap(Grant.init(row:))
            }
            followCommit(database) { state in
                for item in items {
                    for grant in state.index.grants(matching: GrantFilter(item: item)) { state.index.remove(grant) }
                }
                for grant in grants { state.index.insert(grant) }
            }
        }
    }

    private func announce(_ gone: [Grant], filter: GrantFilter) {
        let (revocation, observers) = state.withLock { state in
            for grant in gone { state.index.remove(grant) }
            state.generation += 1
            let revocation = Revocation(filter: filter, grants: gone, generation: state.generation)
            return (revocation, state.observers.sorted { $0.key < $1.key }.map(\.value))
        }
        for observer in observers { observer(revocation) }
    }

    /// Lets memory follow on the database's thread, so that it follows in the order of the commits.
    private func followCommit(_ database: Database, _ change: @escaping @Sendable (inout State) -> Void) {
        database.afterNextTransaction { [self] _ in state.withLock { change(&$0) } }
    }

    private static func store(
        _ database: Database, existing: Grant?, principal: Principal, item: ItemKey, access: AccessLevel,
        origin: Grant.Origin, executable: String?, at moment: Date
    ) throws -> Grant {
        if let existing {
            try database.execute(
                sql: "UPDATE grants SET access = ?, origin = ?, executable = coalesce(?, executable) WHERE id = ?",
                arguments: [access.rawValue, origin.rawValue, executable, existing.id])
            return Grant(
                id: existing.id, principal: principal, item: item, access: access, origin: origin,
                created: existing.created, executable: executable ?? existing.executable)
        }
        // OR REPLACE: a row that this version cannot read allows nothing, and gives way.
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO grants
                    (principal_kind, principal_id, provider, domain, item, access, origin, created, executable)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                principal.kind.rawValue, principal.identifier, item.provider, item.domain, item.identifier,
                access.rawValue, origin.rawValue, moment.milliseconds, executable,
            ])
        return Grant(
            id: database.lastInsertedRowID, principal: principal, item: item, access: access, origin: origin,
            created: moment.stored, executable: executable)
    }
}

extension Grant {
    fileprivate func moved(to item: ItemKey) -> Grant {
        Grant(
            id: id, principal: principal, item: item, access: access, origin: origin, created: created,
            executable: executable)
    }
}
