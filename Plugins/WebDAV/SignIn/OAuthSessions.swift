import Synchronization

/// The living sessions of the process. An instance that is made anew, because its domain changed, goes on with the
/// session of the one before: two that renew the same sign-in by themselves would each use up the token of the other.
final class OAuthSessions: Sendable {
    static let shared = OAuthSessions()

    private struct Entry {
        weak var session: OAuthSession?
    }

    private let entries = Mutex<[Entry]>([])

    /// The session of a credential, or of one that it was renewed to; else the one that `make` makes.
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
