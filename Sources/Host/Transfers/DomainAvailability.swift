package import FoundationEssentials

/// Whether an account can be used now.
package enum DomainState: Hashable, Sendable {
    case ready
    /// Its service cannot be reached, and why.
    case offline(message: String, since: Date)
    /// Its service wants a credential that we do not have, or refuses ours.
    case notAuthenticated(message: String)

    /// Its name on the wire.
    package var name: String {
        switch self {
        case .ready: "ready"
        case .offline: "offline"
        case .notAuthenticated: "notAuthenticated"
        }
    }

    /// Why it is not ready.
    package var message: String? {
        switch self {
        case .ready: nil
        case .offline(let message, _), .notAuthenticated(let message): message
        }
    }
}

/// Knows which accounts can be used. Thread-safe; the questions are answered at once.
package protocol DomainAvailability: Sendable {
    func state(_ provider: String, _ domain: String) -> DomainState
    /// From when a call may find out whether an account that is not ready is so again; nil when it is ready.
    func nextProbe(_ provider: String, _ domain: String) -> ContinuousClock.Instant?
    /// Something changed; a stream of its own for each caller.
    func changes() -> AsyncStream<Void>
}
