/// What a presenter is told of a change.
public struct PresentedChange: Sendable, Hashable {
    /// Who made it, where that is known.
    public let cause: ChangeCause?
    /// Whether it was made without coordination, so that nobody was asked before.
    public let isUncoordinated: Bool
    /// The version now, where it is known; the same as before for a change of attributes alone.
    public let version: String?

    /// A change, for tests of presenters.
    public init(cause: ChangeCause? = nil, isUncoordinated: Bool = false, version: String? = nil) {
        self.cause = cause
        self.isUncoordinated = isUncoordinated
        self.version = version
    }
}
