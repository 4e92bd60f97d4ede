package import FoundationEssentials
package import Rights
import Synchronization

/// The uses of documents that are not stored yet. Noting one takes a lock and no other time, so that opening a document
/// does not wait for the database. Thread-safe.
package final class DocumentUses: Sendable {
    /// Stands for all clients among the unrecorded ones.
    package static let everyone = ""

    private struct Subject: Hashable {
        var principal: Principal
        var key: ItemKey
    }

    private struct State {
        var waiting: [Subject: DocumentUse] = [:]
        var unrecorded: Set<String> = []
    }

    // They are stored every few seconds. A client that uses more documents in that time loses the rest.
    private static let most = 1_000

    private let state = Mutex(State())

    /// Creates an empty one.
    package init() {}

    /// Notes a use, unless nothing is recorded of its client.
    package func note(_ principal: Principal, _ document: UsedDocument, at moment: Date) {
        state.withLock { state in
            guard !Self.isUnrecorded(principal.identifier, state) else { return }
            let subject = Subject(principal: principal, key: document.key)
            guard state.waiting.count < Self.most || state.waiting[subject] != nil else { return }
            state.waiting[subject] = DocumentUse(principal: principal, document: document, moment: moment)
        }
    }

    /// Takes what waits to be stored.
    package func take() -> [DocumentUse] {
        state.withLock { state in
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
    }

    /// Says of which clients nothing is recorded from now on, and drops what waits of them.
    package func setUnrecorded(_ clients: Set<String>) {
        state.withLock { state in
            state.unrecorded = clients
            let left = state.waiting.filter { !Self.isUnrecorded($0.key.principal.identifier, state) }
            state.waiting = left
        }
    }

    private static func isUnrecorded(_ client: String, _ state: State) -> Bool {
        state.unrecorded.contains(client) || state.unrecorded.contains(everyone)
    }
}
