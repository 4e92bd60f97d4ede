package import DocentInterfaces
package import Rights
import Storage
import Synchronization

/// What must happen when an item's content or a right changes: cached descriptors go, leases end (L2). Thread-safe.
package final class ContentChanges: Sendable {
    private let cache: DocumentCache
    private let sessions = Mutex<@Sendable () -> [Session]>({ [] })
    private let follower = Mutex<(any ContentFollower)?>(nil)

    package init(cache: DocumentCache) { self.cache = cache }

    /// Says where the living sessions are found.
    package func follow(_ sessions: @escaping @Sendable () -> [Session]) { self.sessions.withLock { $0 = sessions } }

    /// Says who tells presenters.
    package func follow(_ follower: any ContentFollower) { self.follower.withLock { $0 = follower } }

    private var news: (any ContentFollower)? { follower.withLock { $0 } }

    /// The living sessions.
    package var living: [Session] { sessions.withLock { $0 }() }

    /// The content of an item is another one now.
    package func contentChanged(_ key: ItemKey) {
        cache.invalidate(key)
        for session in living { session.existingLeases?.end(key) }
        news?.noticed(key)
    }

    /// Something else that is known of an item may be other now.
    package func descriptionChanged(_ key: ItemKey) { news?.noticed(key) }

    /// A change of our own has got its provider's version.
    package func confirmed(_ key: ItemKey, version: String?) { news?.confirmed(key, version: version) }

    /// A new item is there that we have made.
    package func created(_ item: Wire.Item, name: String, in folder: ItemKey) {
        news?.created(item, name: name, in: folder)
    }

    /// A version of a document is kept beside it, or no longer.
    package func versionKept(_ version: String, of key: ItemKey, isGone: Bool = false) {
        news?.versionKept(version, of: key, isGone: isGone)
    }

    /// The last version of a document that stood for a conflict is gone.
    package func conflictResolved(_ version: String, of key: ItemKey) {
        news?.conflictResolved(version, of: key)
    }

    /// Removes a local copy if its presenters agree.
    ///
    /// - Throws: ``Failure`` `Conflict` with the reason why it stays; what the body throws.
    package func withEviction<Result: Sendable>(
        of key: ItemKey, name: String, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let news else { return try await body() }
        return try await news.withEviction(of: key, name: name, body)
    }

    /// Nothing that is known of a provider can be relied on.
    package func providerChanged(_ provider: String, domain: String? = nil) {
        let matches: @Sendable (ItemKey) -> Bool = { $0.provider == provider && (domain == nil || $0.domain == domain) }
        cache.invalidateAll(where: matches)
        for session in living { session.existingLeases?.end(where: matches) }
        news?.noticedAll(provider, domain: domain)
    }

    /// A domain was closed: nothing of it is held any more, and its leases end (O7).
    ///
    /// - Returns: how many leases ended: read descriptors that may still be out.
    package func domainClosed(_ domain: DomainKey) -> Int {
        let matches: @Sendable (ItemKey) -> Bool = { DomainKey($0) == domain }
        cache.invalidateAll(where: matches)
        var ended = 0
        for session in living {
            guard let leases = session.existingLeases else { continue }
            let before = leases.count
            leases.end(where: matches)
            ended += before - leases.count
        }
        news?.noticedAll(domain.provider, domain: domain.domain)
        return ended
    }

    /// Rights were taken away; the leases by them, also on what they covered, end before the revocation is answered (I3).
    ///
    /// - Parameter isAllowed: whether a client may still read an item, as far as memory tells.
    /// - Returns: how many leases ended: read descriptors that may still be out.
    package func revoked(_ grants: [Grant], isAllowed: (Principal, ItemKey) -> Bool) -> Int {
        var ended = 0
        let principals = Set(grants.map(\.principal))
        for session in living where principals.contains(session.principal) {
            guard let leases = session.existingLeases else { continue }
            let before = leases.count
            leases.end { !isAllowed(session.principal, $0) }
            ended += before - leases.count
        }
        news?.revoked(grants)
        return ended
    }
}
