package import DocentInterfaces
package import Rights
import Synchronization

/// The domains that are closed to all clients because they are signed out or being signed out (O7, E8). Thread-safe;
/// asked at every access, so it takes only a lock. It mirrors the database: a caller records the closing there before
/// it relies on it.
package final class ClosedDomains: Sendable {
    private let states = Mutex<[DomainKey: ProviderDomain.SignOut]>([:])
    private let obstacles = Mutex<[DomainKey: String]>([:])

    package init() {}

    /// Closes a domain from this moment on.
    package func close(_ domain: DomainKey, _ state: ProviderDomain.SignOut) {
        states.withLock { $0[domain] = state }
        if state == .signedOut { setObstacle(nil, to: domain) }
    }

    /// Opens a domain again.
    package func open(_ domain: DomainKey) {
        states.withLock { _ = $0.removeValue(forKey: domain) }
        setObstacle(nil, to: domain)
    }

    /// Why a sign-out cannot be finished, in a sentence; nil if nothing prevents it.
    package func obstacle(_ domain: DomainKey) -> String? { obstacles.withLock { $0[domain] } }

    /// Records what prevents a sign-out.
    package func setObstacle(_ text: String?, to domain: DomainKey) { obstacles.withLock { $0[domain] = text } }

    /// How far a domain is signed out; nil when it is open.
    package func state(_ domain: DomainKey) -> ProviderDomain.SignOut? {
        states.withLock { $0.isEmpty ? nil : $0[domain] }
    }

    /// Whether the sign-out of any domain is unfinished.
    package var isAnyGoing: Bool { states.withLock { $0.contains { $0.value != .signedOut } } }

    /// Whether the domain of an item is closed.
    package func contains(_ key: ItemKey) -> Bool {
        states.withLock { !$0.isEmpty && $0[DomainKey(key)] != nil }
    }

    /// Refuses a closed domain.
    ///
    /// - Throws: ``Failure`` `NotAuthenticated`, with the command that opens the domain.
    package func require(_ domain: DomainKey) throws(Failure) {
        if let state = state(domain) { throw SignInWords.refusal(domain, state) }
    }

    /// The same for the domain of an item.
    package func require(_ key: ItemKey) throws(Failure) { try require(DomainKey(key)) }
}
