/// A change as reported to a presenter.
public struct PresentedChange: Sendable, Hashable {
    /// Who made the change; nil when unknown.
    public let cause: ChangeCause?
    /// Whether the change was made without coordination, so that no presenter was asked first.
    public let isUncoordinated: Bool
    /// The new version; nil when unknown. It is unchanged when only attributes changed.
    public let version: String?

    /// Creates a change, for tests of presenters.
    public init(cause: ChangeCause? = nil, isUncoordinated: Bool = false, version: String? = nil) {
        self.cause = cause
        self.isUncoordinated = isUncoordinated
        self.version = version
    }
}
