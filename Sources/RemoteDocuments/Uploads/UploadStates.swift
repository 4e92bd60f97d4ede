import FoundationEssentials
package import Records
package import Rights
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
    private let sent = Mutex<Sent>(Sent())

    /// The versions that were saved here, of the documents that were sent last.
    private struct Sent {
        private struct Entry {
            var version: String
            var former: String
            /// The one before: what everybody sees until the new one is on record.
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

    /// The state of a document; nil when its provider has all of it.
    package func state(of key: ItemKey) -> State? { states.withLock { $0[key] } }

    /// Whether a document has unsent changes: it must not be evicted or replaced (law 6).
    package func contains(_ key: ItemKey) -> Bool { states.withLock { $0[key] != nil } }

    /// The identifiers of one domain's documents with unsent changes.
    package func identifiers(provider: String, domain: String) -> Set<ExactText> {
        states.withLock { states in
            Set(
                states.keys.filter { $0.provider == provider && $0.domain == domain }.map { ExactText($0.identifier) })
        }
    }

    /// Changes what is known of a document; nil: everything is sent.
    package func set(_ state: State?, of key: ItemKey) { states.withLock { $0[key] = state } }

    /// A save of ours has become a version at the provider. What is in memory is what ``ItemIndex/sentVersions(most:)`` tells
    /// after a restart. To be called before anybody is shown that version.
    package func confirmed(_ sent: SentVersion) {
        self.sent.withLock { $0.set(sent.key, version: sent.version, former: sent.former) }
    }

    /// What a version was before it was confirmed, if it was one of ours: the content is the same (HAZARDS 5).
    package func former(of key: ItemKey, version: String?) -> String? {
        sent.withLock { $0.former(of: key, version: version) }
    }

    /// A document has another identifier now.
    package func rekey(_ key: ItemKey, to new: ItemKey) {
        sent.withLock { $0.rekey(key, to: new) }
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
