/// What the SDK gives to a ``DocumentPickerExtension`` when it makes one.
public struct DocumentPickerContext: Sendable {
    /// The bundle identifier of the extension's provider.
    public let provider: String
    let report: @Sendable (String) -> Void

    /// A context; `report` hears what an author does wrong.
    public init(provider: String, report: @escaping @Sendable (String) -> Void) {
        self.provider = provider
        self.report = report
    }
}
