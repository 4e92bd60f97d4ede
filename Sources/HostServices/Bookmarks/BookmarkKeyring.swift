import Keyring

/// The user's keyring as the key of the bookmarks needs it; tests give one of their own.
package struct BookmarkKeyring: Sendable {
    /// Whether it can be used; asks nobody for a password.
    package var probe: @Sendable () async -> KeyringState
    /// The key of that name; nil when there is none. Only asked when it can be used.
    package var read: @Sendable (_ name: String) async throws -> [UInt8]?
    /// Stores a key.
    package var store: @Sendable (_ key: [UInt8], _ name: String) async throws -> Void

    /// How it stands with a keyring.
    package enum KeyringState: Hashable, Sendable {
        /// It answers and is unlocked.
        case usable
        /// It waits for somebody to unlock it.
        case locked
        /// Nobody answers, or nothing can be stored; why.
        case absent(String)
    }

    package init(
        probe: @escaping @Sendable () async -> KeyringState,
        read: @escaping @Sendable (String) async throws -> [UInt8]?,
        store: @escaping @Sendable ([UInt8], String) async throws -> Void
    ) {
        self.probe = probe
        self.read = read
        self.store = store
    }

    /// The Secret Service of this session.
    ///
    /// - Parameter deadline: of each question to it (law 5).
    package static func system(deadline: Duration = .seconds(5)) -> BookmarkKeyring {
        let keyring = Keyring(deadline: deadline)
        @Sendable func credential(_ name: String) -> CredentialKey {
            CredentialKey(accessGroup: "org.docent.docentd", provider: "org.docent.docentd", account: name)
        }
        return BookmarkKeyring(
            probe: {
                switch await keyring.probe() {
                case .available: .usable
                case .locked: .locked
                case .noCollection(let why), .noService(let why), .failed(let why): .absent(why)
                case .timedOut: .absent("it did not answer in time")
                }
            },
            read: { try await keyring.secret(for: credential($0)) },
            store: { try await keyring.store($0, for: credential($1), label: "Docent bookmark key") })
    }
}
