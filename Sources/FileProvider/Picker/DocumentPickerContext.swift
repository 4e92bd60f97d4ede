/// What the SDK gives to a ``DocumentPickerExtension`` when it makes one.
public struct DocumentPickerContext: Sendable {
    /// The bundle identifier of the extension's provider.
    public let provider: String
    let claims: ClaimHub
    let report: @Sendable (String) -> Void

    /// A context; `report` hears what an author does wrong.
    public init(provider: String, report: @escaping @Sendable (String) -> Void) {
        self.init(provider: provider, claims: ClaimHub(grantsAll: true), report: report)
    }

    init(provider: String, claims: ClaimHub, report: @escaping @Sendable (String) -> Void) {
        self.provider = provider
        self.claims = claims
        self.report = report
    }
}
