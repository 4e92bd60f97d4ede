import Synchronization

/// The active sessions of the process. When a domain changes, its new instance continues the session of the old one:
/// two separate renewals of the same sign-in would invalidate each other's tokens.
final class OAuthSessions: Sendable {
    static let shared = OAuthSessions()

    private struct Entry {
        weak var session: OAuthSession?
    }

    private let entries = Mutex<[Entry]>([])

    /// The session of a credential or of a renewal of it. If there is none, `make` makes it.
    func session(of credential: OAuthCredential, _ make: () -> OAuthSession) -> OAuthSession {
        entries.withLock { entries in
            entries.removeAll { $0.session == nil }
            if let known = entries.lazy.compactMap(\.session).first(where: { $0.descends(from: credential) }) {
                return known
            }
            let session = make()
            entries.append(Entry(session: session))
            return session
        }
    }
}
