package import FoundationEssentials

/// Whether an account can be used now.
package enum DomainState: Hashable, Sendable {
    case ready
    /// Its service cannot be reached, and why.
    case offline(message: String, since: Date)
    /// Its service wants a credential that we do not have, or refuses ours.
    case notAuthenticated(message: String)
    /// Its secret is in a keyring that is locked or away: nothing is known of the account.
    case locked(message: String)
    /// Nobody is let in any more, and what is here of it is going (O7).
    case signingOut
    /// Nothing of it is here, and nobody is let in before the next login.
    case signedOut

    /// Its name on the wire.
    package var name: String {
        switch self {
        case .ready: "ready"
        case .offline: "offline"
        case .notAuthenticated: "notAuthenticated"
        case .locked: "locked"
        case .signingOut: "signingOut"
        case .signedOut: "signedOut"
        }
    }

    /// Why it is not ready.
    package var message: String? {
        switch self {
        case .ready, .signingOut, .signedOut: nil
        case .offline(let message, _), .notAuthenticated(let message), .locked(let message): message
        }
    }

    /// Whether nobody is let in, whoever tries.
    package var isClosed: Bool { self == .signingOut || self == .signedOut }

    /// Whether nothing goes on before somebody signs in or unlocks something.
    package var waitsForSomebody: Bool {
        switch self {
        case .notAuthenticated, .locked, .signingOut, .signedOut: true
        case .ready, .offline: false
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
