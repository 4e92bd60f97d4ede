/// What the SDK passes to a ``DocumentPickerExtension`` when it creates one.
public struct DocumentPickerContext: Sendable {
    /// The bundle identifier of the extension's provider.
    public let provider: String
    let claims: ClaimHub
    let keychain: KeychainHub
    let report: @Sendable (String) -> Void

    /// Creates a context for tests, with a keychain in memory. `report` receives the author's mistakes.
    public init(provider: String, report: @escaping @Sendable (String) -> Void) {
        self.init(
            provider: provider, claims: ClaimHub(grantsAll: true), keychain: KeychainHub(memory: MemoryKeychain()),
            report: report)
    }

    init(
        provider: String, claims: ClaimHub, keychain: KeychainHub, report: @escaping @Sendable (String) -> Void
    ) {
        self.provider = provider
        self.claims = claims
        self.keychain = keychain
        self.report = report
    }
}
