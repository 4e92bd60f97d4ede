/// What a provider can tell its host without being asked. Safe to use from any thread; waits only where it says so.
public struct FileProviderHost: Sendable {
    /// The provider's bundle identifier; the purpose of its own file coordination (D3, H3).
    public let providerIdentifier: String
    /// The secrets of the extension's access groups, in the user's keyring (O6).
    public let keychain: Keychain
    let domain: String
    let claims: ClaimHub
    private let events: EventHub
    private let isTrial: Bool
    private let saved: @Sendable (Credential) -> Void

    /// - Parameters:
    ///   - isTrial: of an instance that only tries a credential: what it saves is kept nowhere.
    ///   - saved: told what the host has kept, for instances that are made later.
    init(
        provider: String, domain: String, events: EventHub, claims: ClaimHub, keychain: KeychainHub,
        isTrial: Bool = false, saved: @escaping @Sendable (Credential) -> Void = { _ in }
    ) {
        providerIdentifier = provider
        self.domain = domain
        self.events = events
        self.claims = claims
        self.keychain = Keychain(hub: keychain, domain: domain)
        self.isTrial = isTrial
        self.saved = saved
    }

    /// A host for tests: nobody listens, whatever a ``FileCoordinator`` asks for is granted, and ``keychain`` is in memory.
    public init() {
        self.init(
            provider: "org.example.Provider", domain: "", events: EventHub(), claims: ClaimHub(grantsAll: true),
            keychain: KeychainHub(memory: MemoryKeychain()))
    }

    /// Items whose content or description changed, and folders whose list did.
    public func signalChanged(_ identifiers: some Sequence<ItemIdentifier>) {
        events.add(changed: identifiers.map(\.rawValue), domain: domain)
    }

    /// Items that are gone, for certain.
    public func signalDeleted(_ identifiers: some Sequence<ItemIdentifier>) {
        events.add(deleted: identifiers.map(\.rawValue), domain: domain)
    }

    /// Something changed, and the provider cannot tell what: the host looks at everything again.
    public func signalResync() { events.addResync(domain: domain) }

    /// A line for the host's log. Do not write a secret into it; those that the host knows of are blackened.
    public func log(_ message: String) { events.add(log: message, domain: domain) }

    /// Keeps a credential in place of the one that the domain was signed in with: a token was refreshed. Waits until it is kept, a minute at
    /// most; only then may the old one be forgotten. While a credential is only tried (``ReplicatedFileProvider/authenticate(_:interaction:)``)
    /// nothing is kept: what that returns counts.
    ///
    /// - Throws: ``FileProviderError``: `notAuthenticated` when the domain was signed out meanwhile, `keychainUnavailable` while the keyring is
    ///   locked or away: go on with the new one, and try again.
    public func save(_ credential: Credential) async throws(FileProviderError) {
        guard !isTrial else { return }
        try await keychain.hub.save(domain: domain, credential: credential)
        saved(credential)
    }
}
