package import FoundationEssentials
package import HostCore
package import Records
package import Rights
import Synchronization

/// When items and folders were used last, collected in memory and written now and then: it costs no read a write, and a lost
/// moment does no harm. Thread-safe.
package final class RecentUse: Sendable {
    private let moments = Mutex<[ItemKey: Date]>([:])
    private let domains = Mutex<[DomainKey: Date]>([:])
    private let index: ItemIndex

    package init(index: ItemIndex) { self.index = index }

    /// Notes that an item is used now.
    package func note(_ key: ItemKey) {
        let now = Date.now
        moments.withLock { $0[key] = now }
        domains.withLock { $0[DomainKey(key)] = now }
    }

    /// Writes what was collected.
    package func flush() async {
        let collected = moments.withLock { moments in
            defer { moments = [:] }
            return moments
        }
        guard !collected.isEmpty else { return }
        try? await index.markUsed(collected)
    }

    /// The domains of which something was used in this daemon's life, with the last moment.
    package var usedDomains: [DomainKey: Date] { domains.withLock { $0 } }

    /// Forgets a domain that was removed.
    package func forget(_ domain: DomainKey) {
        domains.withLock { _ = $0.removeValue(forKey: domain) }
        moments.withLock { moments in moments = moments.filter { DomainKey($0.key) != domain } }
    }
}
