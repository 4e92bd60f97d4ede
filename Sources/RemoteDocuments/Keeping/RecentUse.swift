package import FoundationEssentials
package import HostCore
package import Records
package import Rights
import Synchronization

/// When items and folders were last used. The times are collected in memory and written periodically, so that a read
/// costs no write; losing one is harmless. Thread-safe.
package final class RecentUse: Sendable {
    private let moments = Mutex<[ItemKey: Date]>([:])
    private let domains = Mutex<[DomainKey: Date]>([:])
    private let index: ItemIndex

    package init(index: ItemIndex) { self.index = index }

    /// Records that an item is used now.
    package func note(_ key: ItemKey) {
        let now = Date.now
        moments.withLock { $0[key] = now }
        domains.withLock { $0[DomainKey(key)] = now }
    }

    /// Writes the collected times.
    package func flush() async {
        let collected = moments.withLock { moments in
            defer { moments = [:] }
            return moments
        }
        guard !collected.isEmpty else { return }
        try? await index.markUsed(collected)
    }

    /// The domains that were used since the daemon started, with the time of the last use.
    package var usedDomains: [DomainKey: Date] { domains.withLock { $0 } }

    /// Removes the times of a domain that was removed.
    package func forget(_ domain: DomainKey) {
        domains.withLock { _ = $0.removeValue(forKey: domain) }
        moments.withLock { moments in moments = moments.filter { DomainKey($0.key) != domain } }
    }
}
