/// What a provider can report to its host without being asked. Safe to use from any thread. Only methods that say so
/// wait.
public struct FileProviderHost: Sendable {
    /// The provider's bundle identifier, which is also the purpose of its own file coordination.
    public let providerIdentifier: String
    /// The secrets of the extension's access groups, in the user's keyring.
    public let keychain: Keychain
    let domain: String
    let claims: ClaimHub
    private let events: EventHub
    private let isTrial: Bool
    private let saved: @Sendable (Credential) -> Void

    /// - Parameters:
    ///   - isTrial: whether the instance only tries a credential: nothing that it saves is kept.
    ///   - saved: receives what the host has kept, for instances that are created later.
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

    /// Creates a host for tests: reports go nowhere, every request of a ``FileCoordinator`` is granted, and
    /// ``keychain`` is in memory.
    public init() {
        self.init(
            provider: "org.example.Provider", domain: "", events: EventHub(), claims: ClaimHub(grantsAll: true),
            keychain: KeychainHub(memory: MemoryKeychain()))
    }

    /// Reports items whose content or metadata changed, and folders whose listing changed.
    public func signalChanged(_ identifiers: some Sequence<ItemIdentifier>) {
        events.add(changed: identifiers.map(\.rawValue), domain: domain)
    }

    /// Reports items that are certainly gone.
    public func signalDeleted(_ identifiers: some Sequence<ItemIdentifier>) {
        events.add(deleted: identifiers.map(\.rawValue), domain: domain)
    }

    /// Reports that something unknown changed: the host checks everything again.
    public func signalResync() { events.addResync(domain: domain) }

    /// Writes a line to the host's log. Do not write a secret into it; those that the host knows are redacted.
    public func log(_ message: String) { events.add(log: message, domain: domain) }

    /// Stores a credential in place of the one that the domain signed in with, for example after a token was refreshed.
    /// Waits until it is stored, at most a minute; keep the old one until then. While a credential is only tried
    /// (``ReplicatedFileProvider/authenticate(_:interaction:)``), nothing is stored: the result of that call counts.
    ///
    /// - Throws: ``FileProviderError``: `notAuthenticated` when the domain has been signed out meanwhile,
    ///   `keychainUnavailable` while the keyring is locked or missing: continue with the new credential and try again.
    public func save(_ credential: Credential) async throws(FileProviderError) {
        guard !isTrial else { return }
        try await keychain.hub.save(domain: domain, credential: credential)
        saved(credential)
    }
}
