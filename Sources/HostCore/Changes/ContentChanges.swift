package import DocentInterfaces
package import Rights
import Storage
import Synchronization

/// Reacts to changes of an item's content or of a right: cached descriptors are dropped and leases end (L2).
/// Thread-safe.
///
/// The sessions and the follower are the only references between services that are set late. Both depend on services
/// that announce changes here, and those wait for the answer: presenters are asked before an eviction, and fetching
/// what they present may need one.
package final class ContentChanges: Sendable {
    private struct Follower {
        weak var object: (any ContentFollower)?
    }

    /// What those who show documents are told.
    package let told = ItemNews()
    /// What those who keep an index of documents are told.
    package let indexed = IndexNews()
    private let cache: DocumentCache
    private let sessions = Mutex<@Sendable () -> [Session]>({ [] })
    private let follower = Mutex(Follower())
    private let keeping = Mutex<@Sendable () -> Void>({})

    package init(cache: DocumentCache) { self.cache = cache }

    /// Sets where the living sessions are found.
    package func follow(_ sessions: @escaping @Sendable () -> [Session]) { self.sessions.withLock { $0 = sessions } }

    /// Sets who notifies presenters, for as long as that exists.
    package func follow(_ follower: any ContentFollower) { self.follower.withLock { $0.object = follower } }

    /// Sets who is told that another version is kept, for instance because of a conflict. It must return at once.
    package func followVersions(_ body: @escaping @Sendable () -> Void) { keeping.withLock { $0 = body } }

    private var news: (any ContentFollower)? { follower.withLock { $0.object } }

    /// The living sessions.
    package var living: [Session] { sessions.withLock { $0 }() }

    /// The content of an item has changed.
    package func contentChanged(_ key: ItemKey) {
        cache.invalidate(key)
        for session in living { session.existingLeases?.end(key) }
        told.note(key)
        indexed.note(.item(key))
        news?.noticed(key)
    }

    /// Something about an item other than its content may have changed.
    package func descriptionChanged(_ key: ItemKey) {
        told.note(key)
        indexed.note(.item(key))
        news?.noticed(key)
    }

    /// A folder may have other entries. Those who present it are told of the entries themselves.
    package func entriesChanged(_ folder: ItemKey) {
        told.note(folder)
        indexed.note(.item(folder))
    }

    /// The provider gave a version to a change that we made.
    package func confirmed(_ key: ItemKey, version: String?) { news?.confirmed(key, version: version) }

    /// We created a new item.
    package func created(_ item: Wire.Item, name: String, in folder: ItemKey) {
        told.note(folder)
        indexed.note(.item(item.reference.key))
        news?.created(item, name: name, in: folder)
    }

    /// An item has a new identifier.
    package func moved(_ key: ItemKey, to new: ItemKey) {
        told.note(key)
        told.note(new)
        indexed.note(.item(key))
        indexed.note(.item(new))
        news?.moved(key, to: new)
    }

    /// A version of a document is now kept beside it, or no longer.
    package func versionKept(_ version: String, of key: ItemKey, isGone: Bool = false) {
        news?.versionKept(version, of: key, isGone: isGone)
        if !isGone { keeping.withLock(\.self)() }
    }

    /// The last conflict version of a document is gone.
    package func conflictResolved(_ version: String, of key: ItemKey) {
        news?.conflictResolved(version, of: key)
    }

    /// Removes a local copy if its presenters agree.
    ///
    /// - Throws: ``Failure`` `Conflict` with the reason why the copy stays; what the body throws.
    package func withEviction<Result: Sendable>(
        of key: ItemKey, name: String, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let news else { return try await body() }
        return try await news.withEviction(of: key, name: name, body)
    }

    /// Nothing known about a provider, or about one of its domains, is reliable any more.
    package func providerChanged(_ provider: String, domain: String? = nil) {
        let matches: @Sendable (ItemKey) -> Bool = { $0.provider == provider && (domain == nil || $0.domain == domain) }
        cache.invalidateAll(where: matches)
        for session in living { session.existingLeases?.end(where: matches) }
        told.noteAll(provider, domain: domain)
        indexed.note(.account(provider: provider, domain: domain))
        news?.noticedAll(provider, domain: domain)
    }

    /// A domain was closed: nothing of it is cached any more, and its leases end.
    ///
    /// - Returns: how many leases ended: read descriptors that may still be in use.
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
        told.noteAll(domain.provider, domain: domain.domain)
        indexed.note(.account(provider: domain.provider, domain: domain.domain))
        news?.noticedAll(domain.provider, domain: domain.domain)
        return ended
    }

    /// Grants were revoked. Their leases, also those on what they covered, end before the revocation is answered (I3).
    ///
    /// - Parameter isAllowed: whether a client may still read an item, as far as is known in memory.
    /// - Returns: how many leases ended: read descriptors that may still be in use.
    package func revoked(_ grants: [Grant], isAllowed: (Principal, ItemKey) -> Bool) -> Int {
        var ended = 0
        let principals = Set(grants.map(\.principal))
        for session in living where principals.contains(session.principal) {
            guard let leases = session.existingLeases else { continue }
            let before = leases.count
            leases.end { !isAllowed(session.principal, $0) }
            ended += before - leases.count
        }
        indexed.note(.rights)
        news?.revoked(grants)
        return ended
    }
}
