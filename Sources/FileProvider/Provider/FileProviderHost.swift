/// What a provider can tell its host without being asked. Safe to use from any thread; never waits.
public struct FileProviderHost: Sendable {
    /// The provider's bundle identifier; the purpose of its own file coordination (D3, H3).
    public let providerIdentifier: String
    let domain: String
    let claims: ClaimHub
    private let events: EventHub

    init(provider: String, domain: String, events: EventHub, claims: ClaimHub) {
        providerIdentifier = provider
        self.domain = domain
        self.events = events
        self.claims = claims
    }

    /// A host for tests: nobody listens, and whatever a ``FileCoordinator`` asks for is granted.
    public init() {
        self.init(
            provider: "org.example.Provider", domain: "", events: EventHub(), claims: ClaimHub(grantsAll: true))
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

    /// A line for the host's log.
    public func log(_ message: String) { events.add(log: message, domain: domain) }
}
