import Rights
import Synchronization

/// Tells those who show documents what has changed, as soon as the daemon knows. They ask for the rest themselves.
/// Nobody is made to look because of them. Thread-safe.
package final class ItemNews: Sendable {
    private let listeners = Mutex<[ObjectIdentifier: NewsListener]>([:])
    private let isHeard = Atomic(false)

    package init() {}

    /// Adds a listener to the news of an account, until it is removed.
    package func listen(to account: DomainKey) -> NewsListener {
        let listener = NewsListener(account: account)
        listeners.withLock { listeners in
            listeners[ObjectIdentifier(listener)] = listener
            isHeard.store(true, ordering: .releasing)
        }
        return listener
    }

    package func remove(_ listener: NewsListener) {
        listeners.withLock { listeners in
            listeners[ObjectIdentifier(listener)] = nil
            isHeard.store(!listeners.isEmpty, ordering: .releasing)
        }
    }

    /// An item, or what a folder contains, may have changed.
    func note(_ key: ItemKey) {
        guard isHeard.load(ordering: .acquiring) else { return }
        for listener in listeners.withLock({ Array($0.values) }) where listener.account == DomainKey(key) {
            listener.note(key.identifier)
        }
    }

    /// Anything of a provider, or of one of its accounts, may have changed.
    func noteAll(_ provider: String, domain: String?) {
        guard isHeard.load(ordering: .acquiring) else { return }
        for listener in listeners.withLock({ Array($0.values) })
        where listener.account.provider == provider && (domain == nil || listener.account.domain == domain) {
            listener.noteAll()
        }
    }
}
