package import FoundationEssentials
import GRDB
import Synchronization

/// Decides which principal may reach which document (G7).
///
/// ``check(_:_:_:)`` reads memory under a short lock, from any thread (L1). Changes are on disk before memory is
/// updated and before their call returns (I4); memory is updated in the order in which the changes were stored.
package final class GrantStore: Sendable {
    struct State {
        var index = GrantIndex()
    }

    private let now: @Sendable () -> Date
    let database: HostDatabase
    let state = Mutex(State())
    private let recorded = Mutex<@Sendable () -> Void>({})

    /// Reads all grants into memory, row by row.
    ///
    /// - Parameter now: the time by which rights expire.
    /// - Throws: ``HostDatabaseError``.
    package init(database: HostDatabase, now: @escaping @Sendable () -> Date = { .now }) async throws {
        self.now = now
        self.database = database
        try await database.read { [self] database in
            // The store is not shared yet: the lock only satisfies the compiler.
            try state.withLock { state in
                let rows = try Row.fetchCursor(database, sql: "SELECT \(Grant.columns) FROM grants")
                while let row = try rows.next() {
                    if let grant = Grant(row: row) { state.index.insert(grant) }
                }
            }
        }
        // Rights under the new identifiers come first, so that at no moment a document is usable under neither.
        database.keyChanges.follow(
            begin: { [weak self] in self?.follow($0, isBegin: true) },
            end: { [weak self] in self?.follow($0, isBegin: false) })
    }

    /// Sets who is told that a client was given a right. Called on the database's thread.
    package func followRecorded(_ body: @escaping @Sendable () -> Void) { recorded.withLock { $0 = body } }

    private func follow(_ changes: [KeyChange], isBegin: Bool) {
        state.withLock { state in
            for case .moved(let old, let new, let grants) in changes {
                let key = isBegin ? new : old
                for grant in state.index.grants(of: key) { state.index.remove(grant) }
                if isBegin { for grant in grants { state.index.insert(grant) } }
            }
        }
    }

    // MARK: Querying

    /// The grant by which a principal may reach a document; nil means that it may not (law 2).
    ///
    /// Never blocks on the disk.
    package func check(_ principal: Principal, _ item: ItemKey, _ wanted: AccessLevel) -> Grant? {
        state.withLock { $0.index.grant(for: principal, item: item, wanted: wanted, at: now) }
    }

    /// The same by an item's place: it also considers rights to the folders above it, and those that cover its name
    /// beside their documents (``RightDecision``).
    package func ground(
        _ principal: Principal, _ place: RightDecision.Place, _ wanted: AccessLevel,
        companions: [RightDecision.Companion] = []
    ) -> Grant? {
        state.withLock { state in
            guard state.index.hasGrants(of: principal, in: place.item) else { return nil }
            return RightDecision.ground(
                wanted, to: place, at: now(), right: { state.index.grant(of: principal, to: $0) },
                companions: companions)
        }
    }

    /// A principal's right to an item itself, however narrow.
    package func grant(of principal: Principal, to item: ItemKey) -> Grant? {
        state.withLock { $0.index.grant(of: principal, to: item) }.flatMap { $0.isExpired(at: now()) ? nil : $0 }
    }

    /// Whether a principal has any right in the account of an item.
    package func hasGrants(of principal: Principal, in item: ItemKey) -> Bool {
        state.withLock { $0.index.hasGrants(of: principal, in: item) }
    }

    /// A principal's rights in an item's account that cover names beside their documents.
    package func companions(of principal: Principal, in item: ItemKey) -> [Grant] {
        state.withLock { $0.index.companions(of: principal, in: item) }
    }

    /// The live grants that a filter selects, oldest first. For small results: use ``page(_:after:limit:)`` for large
    /// ones.
    package func grants(_ filter: GrantFilter = GrantFilter()) -> [Grant] {
        state.withLock { $0.index.grants(matching: filter) }
    }

    /// Changes whenever a right is given that covers names beside its document.
    package var companionChanges: UInt64 { state.withLock { $0.index.companionChanges } }

    /// The principals with any right in an account.
    package func principals(provider: String, domain: String) -> [Principal] {
        state.withLock { $0.index.principals(provider: provider, domain: domain) }
    }

    /// The principals with rights that end with the client.
    package var principalsWithTransient: [Principal] { state.withLock { Array($0.index.transient.keys) } }

    /// The number of grants.
    package var count: Int { state.withLock { $0.index.count } }

    /// A page of the grants that a filter selects, oldest first, from the disk.
    ///
    /// - Parameter after: the number of the last grant on the previous page.
    /// - Returns: at most `limit` grants, and the `after` of the next page; nil on the last page.
    package func page(
        _ filter: GrantFilter, after: Int64? = nil, limit: Int
    ) async throws -> (grants: [Grant], next: Int64?) {
        let limit = max(1, limit)
        return try await database.read { database in
            var condition = filter.grantCondition
            if let after { condition.require("id > ?", after) }
            let rows = try Row.fetchAll(
                database, sql: "SELECT \(Grant.columns) FROM grants\(condition.sql) ORDER BY id LIMIT ?",
                arguments: condition.arguments + [limit + 1])
            let next: Int64? = rows.count > limit ? rows[limit - 1][0] : nil
            return (rows.prefix(limit).compactMap(Grant.init(row:)), next)
        }
    }

    // MARK: Granting

    /// Gives a principal persistent access to a document; durable before this returns.
    @discardableResult
    package func record(
        _ principal: Principal, _ item: ItemKey, _ access: AccessLevel, origin: Grant.Origin,
        executable: String? = nil, at moment: Date = .now
    ) async throws -> Grant {
        try await record(
            principal, item, GrantOffer(access: access, origin: origin), executable: executable, at: moment)
    }

    /// Gives a principal what a user offers; durable before this returns.
    ///
    /// An existing right keeps its number and is only ever widened: the wider access, the later expiry, the patterns of
    /// both.
    /// - Returns: the grant as it now is.
    /// - Throws: ``AccessError/unrecognisedPrincipal``, ``HostDatabaseError``.
    @discardableResult
    package func record(
        _ principal: Principal, _ item: ItemKey, _ offer: GrantOffer, executable: String? = nil,
        at moment: Date = .now
    ) async throws -> Grant {
        try principal.requireKnown()
        guard item.isStorable else { throw AccessError.notGranted }
        return try await database.write { [self] database in
            var existing = try Self.stored(database, Condition(principal: principal, item: item)).first
            if let old = existing, old.isExpired(at: moment) {
                try Self.delete(database, old, .expired, detail: "it expired", at: moment)
                existing = nil
            }
            let grant: Grant
            if let existing {
                grant = existing.merged(with: offer, executable: executable)
                // A different program of the same client is not a change by itself.
                if grant == existing.with(executable: grant.executable) { return existing }
                try Self.update(database, grant)
            } else {
                grant = try Self.insert(database, principal, item, offer, executable, at: moment)
            }
            try AuditLog.append(
                database, .granted, grant, detail: offer.origin.rawValue, executable: executable, at: moment)
            followCommit(database) { $0.index.insert(grant) }
            database.afterNextTransaction { [self] _ in recorded.withLock { $0 }() }
            return grant
        }
    }

    /// Makes an offered right of a client persistent; durable before this returns.
    ///
    /// - Throws: ``AccessError/notGranted``, ``AccessError/notPersistable``, ``HostDatabaseError``.
    @discardableResult
    package func take(_ principal: Principal, _ item: ItemKey, at moment: Date = .now) async throws -> Grant {
        try principal.requireKnown()
        return try await database.write { [self] database in
            guard let known = try Self.stored(database, Condition(principal: principal, item: item)).first,
                !known.isExpired(at: moment)
            else { throw AccessError.notGranted }
            guard !known.isPersistent else { return known }
            guard known.isPersistable else { throw AccessError.notPersistable }
            let grant = known.with(isPersistent: true)
            try Self.update(database, grant)
            try AuditLog.append(database, .taken, grant, detail: "", at: moment)
            followCommit(database) { $0.index.insert(grant) }
            return grant
        }
    }

    // MARK: The table

    /// Updates memory on the database's thread, and so in commit order.
    func followCommit(_ database: Database, _ change: @escaping @Sendable (inout State) -> Void) {
        database.afterNextTransaction { [self] _ in state.withLock { change(&$0) } }
    }

    static func stored(_ database: Database, _ condition: Condition) throws -> [Grant] {
        try Row.fetchAll(
            database, sql: "SELECT \(Grant.columns) FROM grants\(condition.sql) ORDER BY id",
            arguments: condition.arguments
        ).compactMap(Grant.init(row:))
    }

    static func delete(
        _ database: Database, _ grant: Grant, _ event: AuditEntry.Event, detail: String, at moment: Date
    ) throws {
        try database.execute(sql: "DELETE FROM grants WHERE id = ?", arguments: [grant.id])
        try AuditLog.append(database, event, grant, detail: detail, at: moment)
    }

    static func update(_ database: Database, _ grant: Grant) throws {
        try database.execute(
            sql: """
                UPDATE grants SET access = ?, origin = ?, executable = ?, expires = ?, persistent = ?, persistable = ?,
                    companions = ?, is_folder = ?, name = ? WHERE id = ?
                """,
            arguments: [
                grant.access.rawValue, grant.origin.rawValue, grant.executable, grant.expires?.milliseconds,
                grant.isPersistent, grant.isPersistable, try CompanionPattern.column(grant.companions),
                grant.isFolder, grant.name, grant.id,
            ])
    }

    private static func insert(
        _ database: Database, _ principal: Principal, _ item: ItemKey, _ offer: GrantOffer, _ executable: String?,
        at moment: Date
    ) throws -> Grant {
        // OR REPLACE: a row that this version cannot read allows nothing, and is replaced.
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO grants
                    (principal_kind, principal_id, provider, domain, item, access, origin, created, executable,
                    expires, persistent, persistable, companions, is_folder, name)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                principal.kind.rawValue, principal.identifier, item.provider, item.domain, item.identifier,
                offer.access.rawValue, offer.origin.rawValue, moment.milliseconds, executable,
                offer.expires?.milliseconds, offer.isPersistent, offer.isPersistable,
                try CompanionPattern.column(offer.companions), offer.isFolder, offer.name,
            ])
        return Grant(
            id: database.lastInsertedRowID, principal: principal, item: item, access: offer.access,
            origin: offer.origin, created: moment.stored, executable: executable, expires: offer.expires?.stored,
            isPersistent: offer.isPersistent, isPersistable: offer.isPersistable, companions: offer.companions,
            isFolder: offer.isFolder, name: offer.name)
    }
}
