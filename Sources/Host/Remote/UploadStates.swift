import FoundationEssentials
package import Isolation
import Synchronization

/// Which remote documents have changes of ours that their provider does not have yet: the journal, in memory, for whoever must
/// not wait (HAZARDS 24).
///
/// Thread-safe. Filled from the journal at start, kept by ``RemotePublisher`` and ``RemoteUploads``.
package final class UploadStates: Sendable {
    /// How far the oldest unsent change of a document is.
    package enum State: Hashable, Sendable {
        /// It waits for its turn, or for its provider.
        case queued
        /// It is being sent.
        case uploading
        /// It cannot be sent before the user does something; the reason.
        case failed(String)
    }

    private let states = Mutex<[ItemKey: State]>([:])

    package init() {}

    /// The state of a document; nil when its provider has all of it.
    package func state(of key: ItemKey) -> State? { states.withLock { $0[key] } }

    /// Whether a document has unsent changes: it must not be evicted or replaced (law 6).
    package func contains(_ key: ItemKey) -> Bool { states.withLock { $0[key] != nil } }

    /// The identifiers of one domain's documents with unsent changes.
    package func identifiers(provider: String, domain: String) -> Set<String> {
        states.withLock { states in
            Set(states.keys.filter { $0.provider == provider && $0.domain == domain }.map(\.identifier))
        }
    }

    /// Changes what is known of a document; nil: everything is sent.
    package func set(_ state: State?, of key: ItemKey) { states.withLock { $0[key] = state } }

    /// A document has another identifier now.
    package func rekey(_ key: ItemKey, to new: ItemKey) {
        states.withLock { states in
            guard let state = states.removeValue(forKey: key) else { return }
            states[new] = state
        }
    }

    /// How many documents wait to be sent, failed ones apart.
    package var pendingCount: Int { count { !$0.isFailed } }

    /// How many documents cannot be sent without the user.
    package var failedCount: Int { count(where: \.isFailed) }

    private func count(where matches: (State) -> Bool) -> Int {
        states.withLock { $0.values.count(where: matches) }
    }
}

extension UploadStates.State {
    /// Whether it needs the user.
    package var isFailed: Bool { if case .failed = self { true } else { false } }
}
