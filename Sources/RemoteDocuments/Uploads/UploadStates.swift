import FoundationEssentials
package import Records
package import Rights
import Synchronization

/// Which remote documents have changes that their provider does not have yet: a copy of the journal in memory, for
/// callers that must not wait (HAZARDS 24).
///
/// Thread-safe. Filled from the journal at start, updated by ``RemotePublisher`` and ``RemoteUploads``.
package final class UploadStates: Sendable {
    /// The state of a document's oldest unsent change.
    package enum State: Hashable, Sendable {
        /// It waits for its turn, or for its provider.
        case queued
        /// It is being sent.
        case uploading
        /// It cannot be sent until the user acts; the reason.
        case failed(String)
    }

    private let states = Mutex<[ItemKey: State]>([:])
    private let sent = Mutex<Sent>(Sent())

    /// The versions that were saved here, for the documents that were sent last.
    private struct Sent {
        private struct Entry {
            var version: String
            var former: String
            /// The previous version, which is visible until the new one is recorded.
            var earlier: (version: String, former: String)?
            var order: UInt64
        }

        private var versions: [ItemKey: Entry] = [:]
        private var order: UInt64 = 0

        func former(of key: ItemKey, version: String?) -> String? {
            guard let version, let known = versions[key] else { return nil }
            if known.version.isSame(as: version) { return known.former }
            return (known.earlier?.version).isSame(as: version) ? known.earlier?.former : nil
        }

        mutating func set(_ key: ItemKey, version: String, former: String) {
            order += 1
            let known = versions[key]
            let earlier = (known?.version).isSame(as: version) ? known?.earlier : known.map { ($0.version, $0.former) }
            versions[key] = Entry(version: version, former: former, earlier: earlier, order: order)
            guard versions.count >= 2 * ItemIndex.sentVersionLimit else { return }
            let oldest = order - UInt64(ItemIndex.sentVersionLimit)
            versions = versions.filter { $0.value.order > oldest }
        }

        mutating func rekey(_ key: ItemKey, to new: ItemKey) {
            if let known = versions.removeValue(forKey: key) { versions[new] = known }
        }
    }

    package init() {}

    /// The state of a document; nil when its provider has everything.
    package func state(of key: ItemKey) -> State? { states.withLock { $0[key] } }

    /// Whether a document has unsent changes: it must not be evicted or replaced (law 6).
    package func contains(_ key: ItemKey) -> Bool { states.withLock { $0[key] != nil } }

    /// The identifiers of one domain's documents with unsent changes.
    package func identifiers(provider: String, domain: String) -> Set<BytewiseText> {
        states.withLock { states in
            Set(
                states.keys.filter { $0.provider == provider && $0.domain == domain }
                    .map { BytewiseText($0.identifier) })
        }
    }

    /// Sets the state of a document; nil when everything is sent.
    package func set(_ state: State?, of key: ItemKey) { states.withLock { $0[key] = state } }

    /// Records that a local save has become a version at the provider. The entries in memory match what
    /// ``ItemIndex/sentVersions(most:)`` returns after a restart. To be called before a client sees that version.
    package func confirmed(_ sent: SentVersion) {
        self.sent.withLock { $0.set(sent.key, version: sent.version, former: sent.former) }
    }

    /// The local name of a version before it was confirmed, if it was saved here: the content is the same (HAZARDS 5).
    package func former(of key: ItemKey, version: String?) -> String? {
        sent.withLock { $0.former(of: key, version: version) }
    }

    /// Records the new identifier of a document.
    package func rekey(_ key: ItemKey, to new: ItemKey) {
        sent.withLock { $0.rekey(key, to: new) }
        states.withLock { states in
            guard let state = states.removeValue(forKey: key) else { return }
            states[new] = state
        }
    }

    /// The number of documents waiting to be sent, without failed ones.
    package var pendingCount: Int { states.withLock { $0.values.count { !$0.isFailed } } }
}

extension UploadStates.State {
    /// Whether the user has to act.
    package var isFailed: Bool { if case .failed = self { true } else { false } }
}
