package import FoundationEssentials
import GRDB
package import Rights

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
                    UPDATE operation SET uploaded_version =
                            CASE WHEN uploaded IS NULL THEN coalesce(?, uploaded_version) ELSE uploaded_version END,
                        uploaded = coalesce(uploaded, ?), state = ? WHERE id = ?
                    """,
                arguments: [version, moment.milliseconds, state.rawValue, id])
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
