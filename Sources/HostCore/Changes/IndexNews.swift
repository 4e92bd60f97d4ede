package import Rights
import Synchronization

/// Tells whoever keeps an index of documents for searching what may have changed. Thread-safe.
package final class IndexNews: Sendable {
    /// What may have changed.
    package enum News: Hashable, Sendable {
        /// An item, or what a folder contains.
        case item(ItemKey)
        /// Anything of a provider, or of one of its accounts: it may have been added, removed or closed.
        case account(provider: String, domain: String?)
        /// The rights of clients.
        case rights
    }

    private struct Follower {
        var noted: @Sendable (News) -> Void
        var settle: @Sendable () async -> Void
    }

    private let follower = Mutex<Follower?>(nil)

    package init() {}

    /// Sets who is told.
    ///
    /// - Parameters:
    ///   - noted: quick, and called on any thread.
    ///   - settle: waits, not for long, until everything that was noted before is known to those who search.
    package func follow(_ noted: @escaping @Sendable (News) -> Void, settle: @escaping @Sendable () async -> Void) {
        follower.withLock { $0 = Follower(noted: noted, settle: settle) }
    }

    /// Something may have changed.
    package func note(_ news: News) { follower.withLock { $0 }?.noted(news) }

    /// Waits until searches that are running know what has changed. A call that changes documents ends with this.
    package func settle() async { await follower.withLock { $0 }?.settle() }
}
