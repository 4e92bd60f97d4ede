package import FoundationEssentials

/// Whether an account can be used now.
package enum DomainState: Hashable, Sendable {
    case ready
    /// Its service cannot be reached; `message` says why.
    case offline(message: String, since: Date)
    /// Its service needs a credential that we do not have, or refuses ours.
    case notAuthenticated(message: String)
    /// Its secret is in a keyring that is locked or unavailable: nothing is known about the account.
    case locked(message: String)
    /// The account is closed to clients, and its local data is being removed.
    case signingOut
    /// Its local data is gone, and it stays closed until the next login.
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

    /// Whether the account is closed to all clients.
    package var isClosed: Bool { self == .signingOut || self == .signedOut }

    /// Whether nothing can proceed until a person signs in or unlocks something.
    package var waitsForSomebody: Bool {
        switch self {
        case .notAuthenticated, .locked, .signingOut, .signedOut: true
        case .ready, .offline: false
        }
    }
}

/// Reports which accounts can be used. Thread-safe; every query returns at once.
package protocol DomainAvailability: Sendable {
    func state(_ provider: String, _ domain: String) -> DomainState
    /// The time from which a call may test whether an account that is not ready has become ready; nil when it is ready.
    func nextProbe(_ provider: String, _ domain: String) -> ContinuousClock.Instant?
    /// Signals changes; each caller gets a separate stream.
    func changes() -> AsyncStream<Void>
}
