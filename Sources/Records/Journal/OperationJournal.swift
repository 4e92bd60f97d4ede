package import FoundationEssentials
import GRDB
package import Rights

/// The journal of writes (W): each step is on disk before its call returns, and a repeated step does nothing.
///
/// Clients name their operations. The same name from the same principal means the same operation; a principal cannot
/// see the operations of another one.
package struct OperationJournal: Sendable {
    typealias State = JournaledOperation.State

    let database: HostDatabase

    /// Uses a database.
    package init(database: HostDatabase) {
        self.database = database
    }

    /// Step 1: begins an operation, or returns the one that the principal began under the same name.
    /// - Throws: ``JournalError/differentOperation``, ``AccessError/unrecognisedPrincipal``, ``HostDatabaseError``.
    package func begin(_ request: OperationRequest, at moment: Date = .now) async throws -> JournaledOperation {
        try request.principal.requireKnown()
        let identifier = UUID().uuidString
        return try await database.write { database in
            if let known = try Self.find(database, request.operation, request.principal) {
                guard known.answers(request) else { throw JournalError.differentOperation }
                return known
            }
            try database.execute(
                sql: """
                    INSERT INTO operation (id, op, principal_kind, principal_id, kind, provider, domain, item, parent,
                        name, base_version, source, content_type, state, created, changed)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?, ?)
                    """,
                arguments: [
                    identifier, request.operation, request.principal.kind.rawValue, request.principal.identifier,
                    request.kind.rawValue, request.provider, request.domain, request.item, request.parent, request.name,
                    request.baseVersion, request.source, request.contentType, moment.milliseconds, moment.milliseconds,
                ])
            return try Self.require(database, identifier)
        }
    }

    /// Step 5, the commit point: the frozen content is in `Uploads` under ``JournaledOperation/id``.
    /// - Throws: ``JournalError``; `differentContent` when other content was committed before.
    @discardableResult
    package func staged(
        _ id: String, digest: String, size: Int64, baseVersion: String?, at moment: Date = .now
    ) async throws -> JournaledOperation {
        try await step(id, to: .staged, from: [.open], at: moment) { operation in
            guard operation.state != .open else { return }
            guard operation.digest == digest, operation.size == size else { throw JournalError.differentContent }
        } change: { database, _ in
            try database.execute(
                sql: "UPDATE operation SET digest = ?, size = ?, base_version = ? WHERE id = ?",
                arguments: [digest, size, baseVersion, id])
        }
    }

    /// Step 7: the content has been published; the item's version increases by one. A move then waits for its source.
    /// - Parameters:
    ///   - item: the identifier, which is known only now for a creation.
    ///   - replaced: the version that keeps what was replaced, recorded in the same transaction.
    ///   - package: for a package, its version with the new content, by which ``origin(of:version:operation:)`` finds
    ///     this operation.
    @discardableResult
    package func published(
        _ id: String, item: String, replaced: KeptVersion? = nil, package: String? = nil, at moment: Date = .now
    ) async throws -> JournaledOperation {
        try await step(id, to: .published, from: [.staged], at: moment) { _ in
        } change: { database, operation in
            let version = try Int64.fetchOne(
                database,
                sql: """
                    INSERT INTO item_version (provider, domain, item, version) VALUES (?, ?, ?, 1)
                    ON CONFLICT DO UPDATE SET version = version + 1 RETURNING version
                    """,
                arguments: [operation.provider, operation.domain, item])
            let state: State = operation.kind == .move ? .moveSourcePending : .published
            try database.execute(
                sql: """
                    UPDATE operation SET item = ?, item_version = ?, state = ?,
                        uploaded_version = coalesce(?, uploaded_version) WHERE id = ?
                    """,
                arguments: [item, version, state.rawValue, package, id])
            guard let replaced else { return }
            try KeptVersionStore.add(replaced, to: database)
            if let change = UndoableChange(operation, replacing: replaced, at: moment) {
                try UndoStore.add(database, change, at: moment)
            }
        }
    }

    /// Step 9: the provider has confirmed the content; the file in `Uploads` may be removed once this returns.
    @discardableResult
    package func uploaded(_ id: String, at moment: Date = .now) async throws -> JournaledOperation {
        try await uploaded(id, version: nil, at: moment)
    }

    /// Move (g): the source has been deleted, or was kept because it changed.
    @discardableResult
    package func moveSourceFinished(_ id: String, at moment: Date = .now) async throws -> JournaledOperation {
        try await database.write { database in
            let operation = try Self.require(database, id)
            if operation.sourceFinished != nil { return operation }
            guard operation.state == .moveSourcePending else {
                throw JournalError.outOfOrder(from: operation.state, to: .published)
            }
            let state: State = operation.uploaded == nil ? .published : .uploaded
            try database.execute(
                sql: "UPDATE operation SET source_finished = ?, state = ?, changed = ? WHERE id = ?",
                arguments: [moment.milliseconds, state.rawValue, moment.milliseconds, id])
            return try Self.require(database, id)
        }
    }

    /// Everything is done: uploaded and unlinked, or published where no upload is needed (in place).
    @discardableResult
    package func finished(_ id: String, at moment: Date = .now) async throws -> JournaledOperation {
        try await step(id, to: .finished, from: [.published, .uploaded], at: moment)
    }

    /// The operation cannot continue until the user acts, who may have it ``retried(_:at:)``. The data is kept.
    @discardableResult
    package func failed(_ id: String, reason: String, at moment: Date = .now) async throws -> JournaledOperation {
        let states: Set<State> = [.open, .staged, .published, .moveSourcePending]
        return try await step(id, to: .failed, from: states, at: moment) { _ in
        } change: { database, operation in
            try database.execute(
                sql: "UPDATE operation SET reason = ?, failed_from = ? WHERE id = ?",
                arguments: [reason, operation.state.rawValue, id])
        }
    }

    /// Returns a failed operation to the state in which it failed.
    @discardableResult
    package func retried(_ id: String, at moment: Date = .now) async throws -> JournaledOperation {
        try await database.write { database in
            let operation = try Self.require(database, id)
            guard operation.state == .failed, let previous = operation.failedFrom else { return operation }
            try database.execute(
                sql: "UPDATE operation SET state = ?, failed_from = NULL, reason = NULL, changed = ? WHERE id = ?",
                arguments: [previous.rawValue, moment.milliseconds, id])
            return try Self.require(database, id)
        }
    }

    /// Gives up an operation before its commit point; its data is discarded.
    @discardableResult
    package func abandoned(_ id: String, reason: String, at moment: Date = .now) async throws -> JournaledOperation {
        try await giveUp(id, as: .abandoned, reason: reason, at: moment)
    }

    /// Gives up an operation before its commit point; its data is kept as a recovered version (W0).
    @discardableResult
    package func recovered(_ id: String, reason: String, at moment: Date = .now) async throws -> JournaledOperation {
        try await giveUp(id, as: .recovered, reason: reason, at: moment)
    }

    /// Gives up a creation, even after the commit point, when its client is sent an error; its data is discarded.
    @discardableResult
    package func withdrawn(_ id: String, reason: String, at moment: Date = .now) async throws -> JournaledOperation {
        try await giveUp(id, as: .abandoned, from: [.open, .staged], reason: reason, at: moment)
    }

    /// Begins a creation again that was given up: the client still has the source.
    @discardableResult
    package func reopened(_ id: String, at moment: Date = .now) async throws -> JournaledOperation {
        try await step(id, to: .open, from: [.abandoned], at: moment) { _ in
        } change: { database, _ in
            try database.execute(
                sql: "UPDATE operation SET reason = NULL, digest = NULL, size = NULL WHERE id = ?", arguments: [id])
        }
    }

    private func giveUp(
        _ id: String, as state: State, from sources: Set<State> = [.open], reason: String, at moment: Date
    ) async throws -> JournaledOperation {
        try await step(id, to: state, from: sources, at: moment) { _ in
        } change: { database, _ in
            try database.execute(sql: "UPDATE operation SET reason = ? WHERE id = ?", arguments: [reason, id])
        }
    }

    /// Makes one transition. Does nothing if it was made before; throws if it is not possible in the current state.
    func step(
        _ id: String, to target: State, from sources: Set<State>, at moment: Date,
        check: @escaping @Sendable (JournaledOperation) throws -> Void = { _ in },
        change: @escaping @Sendable (Database, JournaledOperation) throws -> Void = { _, _ in }
    ) async throws -> JournaledOperation {
        try await database.write { database in
            let operation = try Self.require(database, id)
            guard sources.contains(operation.state) else {
                guard operation.hasPassed(target) else {
                    throw JournalError.outOfOrder(from: operation.state, to: target)
                }
                try check(operation)
                return operation
            }
            try check(operation)
            try database.execute(
                sql: "UPDATE operation SET state = ?, changed = ? WHERE id = ?",
                arguments: [target.rawValue, moment.milliseconds, id])
            try change(database, operation)
            return try Self.require(database, id)
        }
    }

    static func require(_ database: Database, _ id: String) throws -> JournaledOperation {
        let row = try Row.fetchOne(database, sql: "SELECT * FROM operation WHERE id = ?", arguments: [id])
        guard let row else { throw JournalError.unknownOperation }
        return try JournaledOperation(row: row)
    }

    static func find(_ database: Database, _ operation: String, _ principal: Principal) throws -> JournaledOperation? {
        var condition = Condition()
        condition.require(principal)
        condition.require("op = ?", operation)
        return try Row.fetchOne(
            database, sql: "SELECT * FROM operation\(condition.sql)", arguments: condition.arguments
        ).map(JournaledOperation.init(row:))
    }
}

// Queries, and pruning.
extension OperationJournal {
    /// The outcome of an operation; nil when this principal never began one under that name (W).
    package func outcome(_ operation: String, _ principal: Principal) async throws -> JournaledOperation? {
        try await database.read { try Self.find($0, operation, principal) }
    }

    /// The operation with an id.
    package func operation(_ id: String) async throws -> JournaledOperation? {
        try await database.read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM operation WHERE id = ?", arguments: [id])
                .map(JournaledOperation.init(row:))
        }
    }

    /// The operations that recovery has to handle, oldest first: those that are neither final nor failed.
    package func pending() async throws -> [JournaledOperation] {
        try await operations("state NOT IN ('finished', 'abandoned', 'recovered', 'failed')")
    }

    /// The operations that wait for the user, oldest first.
    package func failures() async throws -> [JournaledOperation] {
        try await operations("state = 'failed'")
    }

    /// The local version of a document: how many of its changes were published.
    package func version(of item: ItemKey) async throws -> Int64 {
        try await database.read { database in
            var condition = Condition()
            condition.require(item)
            return try Int64.fetchOne(
                database, sql: "SELECT version FROM item_version\(condition.sql)", arguments: condition.arguments) ?? 0
        }
    }

    /// Removes final operations that last changed before a moment.
    /// - Returns: how many.
    @discardableResult
    package func prune(before moment: Date) async throws -> Int {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM operation WHERE state IN ('finished', 'abandoned', 'recovered') AND changed < ?",
                arguments: [moment.milliseconds])
            return database.changesCount
        }
    }

    private func operations(_ condition: String) async throws -> [JournaledOperation] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM operation WHERE \(condition) ORDER BY created, rowid")
                .map(JournaledOperation.init(row:))
        }
    }
}

extension JournaledOperation {
    /// Whether a request matches the one that began this operation; the base version may have been refreshed.
    fileprivate func answers(_ request: OperationRequest) -> Bool {
        kind == request.kind && provider.isSame(as: request.provider) && domain.isSame(as: request.domain)
            && parent.isSame(as: request.parent) && (name.isSame(as: request.name) || kind == .write)
            && (request.item == nil || item.isSame(as: request.item))
    }

    /// Whether a step was made before, so that repeating it changes nothing.
    fileprivate func hasPassed(_ target: State) -> Bool {
        switch target {
        case .staged: digest != nil
        case .published, .moveSourcePending: itemVersion != nil
        case .uploaded: uploaded != nil
        case .open: true
        case .finished, .failed, .abandoned, .recovered: state == target
        }
    }
}
