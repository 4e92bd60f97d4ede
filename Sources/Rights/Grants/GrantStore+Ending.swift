package import FoundationEssentials
import GRDB
import Synchronization

// How rights end. Each way is durable first, then memory is updated (I3).
extension GrantStore {
    /// Revokes every grant that a filter selects, with the bookmarks made from them.
    ///
    /// When this returns, the change is on disk, and checks against memory refuse.
    /// - Returns: the revoked grants; empty when there were none.
    /// - Throws: ``HostDatabaseError``; then nothing was revoked.
    @discardableResult
    package func revoke(_ filter: GrantFilter, at moment: Date = .now) async throws -> [Grant] {
        try await end(filter.grantCondition, .revoked, detail: "", at: moment)
    }

    /// Ends the rights that have expired.
    ///
    /// - Returns: the rights that have ended.
    /// - Throws: ``HostDatabaseError``; the rights allow nothing all the same.
    @discardableResult
    package func expire(at moment: Date = .now) async throws -> [Grant] {
        var condition = Condition()
        condition.require("expires IS NOT NULL AND expires <= ?", moment.milliseconds)
        guard try await hasAny(condition) else { return [] }
        return try await end(condition, .expired, detail: "it expired", at: moment)
    }

    /// Ends the rights that a departed client did not make persistent.
    ///
    /// - Returns: the rights that have ended.
    @discardableResult
    package func endTransient(of principal: Principal, at moment: Date = .now) async throws -> [Grant] {
        var condition = Condition()
        condition.require(principal)
        condition.require("persistent = 0")
        guard try await hasAny(condition) else { return [] }
        return try await end(condition, .expired, detail: "the client ended", at: moment)
    }

    /// Narrows a principal's own right to an item, or gives it up. Never widens.
    ///
    /// - Parameter access: the remaining access; nil for none.
    /// - Returns: the right before the change; nil when nothing had to change.
    /// - Throws: ``AccessError/notGranted`` without a right to that item itself, or when the right is narrower than the
    ///   remaining access; ``HostDatabaseError``.
    @discardableResult
    package func narrow(
        _ principal: Principal, _ item: ItemKey, to access: AccessLevel?, at moment: Date = .now
    ) async throws -> Grant? {
        try principal.requireKnown()
        return try await database.write { [self] database in
            guard let known = try Self.stored(database, Condition(principal: principal, item: item)).first,
                !known.isExpired(at: moment), access.map({ $0 <= known.access }) ?? true
            else { throw AccessError.notGranted }
            guard access != known.access else { return nil }
            if let access {
                let left = known.with(access: access)
                try Self.update(database, left)
                // An earlier bookmark restores no more than the remaining access.
                try database.execute(
                    sql: "UPDATE bookmarks SET access = ? WHERE grant_id = ?",
                    arguments: [access.rawValue, known.id])
                try AuditLog.append(
                    database, .revoked, known, detail: "narrowed to \(access.rawValue) by the client", at: moment)
                database.afterNextTransaction { [self] _ in remember([known], left: [left]) }
            } else {
                try Self.delete(database, known, .revoked, detail: "given up by the client", at: moment)
                database.afterNextTransaction { [self] _ in remember([known]) }
            }
            return known
        }
    }

    // Reading does not wait for the disk, unlike a write.
    private func hasAny(_ condition: Condition) async throws -> Bool {
        try await database.read { database in
            try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM grants\(condition.sql))", arguments: condition.arguments)
                ?? false
        }
    }

    private func end(
        _ condition: Condition, _ event: AuditEntry.Event, detail: String, at moment: Date
    ) async throws -> [Grant] {
        try await database.write { [self] database in
            let gone = try Self.stored(database, condition)
            try database.execute(sql: "DELETE FROM grants\(condition.sql)", arguments: condition.arguments)
            for grant in gone {
                try AuditLog.append(database, event, grant, detail: detail, at: moment)
            }
            database.afterNextTransaction { [self] _ in remember(gone) }
            return gone
        }
    }

    private func remember(_ gone: [Grant], left: [Grant] = []) {
        state.withLock { state in
            for grant in gone { state.index.remove(grant) }
            for grant in left { state.index.insert(grant) }
        }
    }
}
