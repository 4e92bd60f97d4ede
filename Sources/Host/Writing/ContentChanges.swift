import DocentInterfaces
package import Isolation
import Storage
import Synchronization

/// What must happen when an item's content or a right changes: cached descriptors go, leases end (L2). Thread-safe.
package final class ContentChanges: Sendable {
    private let cache: DocumentCache
    private let sessions = Mutex<@Sendable () -> [Session]>({ [] })

    package init(cache: DocumentCache) { self.cache = cache }

    /// Says where the living sessions are found.
    package func follow(_ sessions: @escaping @Sendable () -> [Session]) { self.sessions.withLock { $0 = sessions } }

    private var living: [Session] { sessions.withLock { $0 }() }

    /// The content of an item is another one now.
    package func contentChanged(_ key: ItemKey) {
        cache.invalidate(key)
        for session in living { session.existingLeases?.end(key) }
    }

    /// Nothing that is known of a provider can be relied on.
    package func providerChanged(_ provider: String, domain: String? = nil) {
        let matches: @Sendable (ItemKey) -> Bool = { $0.provider == provider && (domain == nil || $0.domain == domain) }
        cache.invalidateAll(where: matches)
        for session in living { session.existingLeases?.end(where: matches) }
    }

    /// Rights were taken away; their leases end before the revocation is answered (I3).
    ///
    /// - Returns: how many leases ended: read descriptors that may still be out.
    package func revoked(_ grants: [Grant]) -> Int {
        var ended = 0
        for session in living {
            guard let leases = session.existingLeases else { continue }
            let before = leases.count
            for grant in grants where grant.principal == session.principal { leases.end(grant.item) }
            ended += before - leases.count
        }
        return ended
    }
}
