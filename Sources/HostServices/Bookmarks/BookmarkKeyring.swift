import Keyring

/// Access to the user's keyring for the bookmark key. Tests supply their own.
package struct BookmarkKeyring: Sendable {
    /// Whether the keyring can be used. Never prompts for a password.
    package var probe: @Sendable () async -> KeyringState
    /// Returns the key with that name; nil if there is none. Called only while the keyring can be used.
    package var read: @Sendable (_ name: String) async throws -> [UInt8]?
    /// Stores a key.
    package var store: @Sendable (_ key: [UInt8], _ name: String) async throws -> Void

    /// The state of a keyring.
    package enum KeyringState: Hashable, Sendable {
        /// It answers and is unlocked.
        case usable
        /// It is locked.
        case locked
        /// It does not answer or cannot store anything: the reason.
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
    /// - Parameter deadline: the deadline of each call to it (law 5).
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
