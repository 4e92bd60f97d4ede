package import FoundationEssentials
import GRDB
package import Rights

/// The visible state of a document's unsent changes.
package struct UnsentState: Hashable, Sendable {
    /// The progress of the changes.
    package enum State: String, Hashable, Sendable {
        /// They wait or are being sent.
        case queued
        /// At least one cannot continue until the user acts.
        case failed
    }

    /// The progress of the changes.
    package var state: State
    /// The reason for a failure.
    package var reason: String?

    /// Creates a state.
    package init(state: State, reason: String? = nil) {
        self.state = state
        self.reason = reason
    }
}

// Steps of sending changes to remote providers.
extension OperationJournal {
    /// Step 9, with the version that the provider assigned to the content. The next change is based on it.
    @discardableResult
    package func uploaded(_ id: String, version: String?, at moment: Date = .now) async throws -> JournaledOperation {
        try await step(id, to: .uploaded, from: [.published, .moveSourcePending], at: moment) { _ in
        } change: { database, operation in
            let state: JournaledOperation.State =
                operation.state == .moveSourcePending ? .moveSourcePending : .uploaded
            try database.execute(
                sql: """
                    UPDATE operation SET uploaded_version = CASE WHEN uploaded IS NULL THEN ? ELSE uploaded_version END,
                        uploaded = coalesce(uploaded, ?), state = ? WHERE id = ?
                    """,
                arguments: [version, moment.milliseconds, state.rawValue, id])
        }
    }

    /// Bases an unsent change on another remote version: the one that the previous change produced.
    @discardableResult
    package func rebased(_ id: String, baseVersion: String?, at moment: Date = .now) async throws -> JournaledOperation
    {
        try await database.write { database in
            let operation = try Self.require(database, id)
            guard operation.isUnsent else {
                throw JournalError.outOfOrder(from: operation.state, to: operation.state)
            }
            try database.execute(
                sql: "UPDATE operation SET base_version = ?, changed = ? WHERE id = ?",
                arguments: [baseVersion, moment.milliseconds, id])
            return try Self.require(database, id)
        }
    }

    /// Records that a committed change will not be sent because it conflicts with the provider's: its content is kept
    /// as a version.
    @discardableResult
    package func conflicted(_ id: String, reason: String, at moment: Date = .now) async throws -> JournaledOperation {
        try await step(id, to: .finished, from: [.staged, .published, .moveSourcePending, .failed], at: moment) { _ in
        } change: { database, _ in
            try database.execute(
                sql: "UPDATE operation SET reason = ?, failed_from = NULL WHERE id = ?", arguments: [reason, id])
        }
    }

    /// The committed changes of a document that its provider does not have, oldest first. Those that wait for the user
    /// are `failed`.
    package func unsent(of key: ItemKey) async throws -> [JournaledOperation] {
        guard key.isStorable else { return [] }
        var condition = Condition()
        condition.require(key)
        return try await unsent(condition)
    }

    /// The committed changes that the provider does not have, oldest first. Both arguments narrow the result.
    package func unsent(provider: String? = nil, domain: String? = nil) async throws -> [JournaledOperation] {
        var condition = Condition()
        if let provider { condition.require("provider = ?", provider) }
        if let domain { condition.require("domain = ?", domain) }
        return try await unsent(condition)
    }

    /// The states of those documents that have unsent changes, in one query.
    package func uploadStates(of keys: [ItemKey]) async throws -> [ItemKey: UnsentState] {
        let wanted = Set(keys)
        guard !wanted.isEmpty else { return [:] }
        return try await database.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT provider, domain, item, state, reason FROM operation
                    WHERE \(Schema.unsent) AND item IS NOT NULL ORDER BY created, rowid
                    """)
            var states: [ItemKey: UnsentState] = [:]
            for row in rows {
                let key = ItemKey(row: row)
                guard wanted.contains(key) else { continue }
                if row["state"] == JournaledOperation.State.failed.rawValue {
                    if states[key]?.state != .failed {
                        states[key] = UnsentState(state: .failed, reason: row["reason"])
                    }
                } else if states[key] == nil {
                    states[key] = UnsentState(state: .queued)
                }
            }
            return states
        }
    }

    private func unsent(_ condition: Condition) async throws -> [JournaledOperation] {
        var condition = condition
        condition.require(Schema.unsent)
        return try await database.read { [condition] database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM operation\(condition.sql) ORDER BY created, rowid",
                arguments: condition.arguments
            ).map(JournaledOperation.init(row:))
        }
    }
}
