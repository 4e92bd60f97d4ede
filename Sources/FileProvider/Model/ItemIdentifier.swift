/// The provider's own name for an item: any string that names it uniquely in its domain (F2). Rights and bookmarks are
/// bound to it, so it should survive a rename (complaint 18).
public struct ItemIdentifier: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The string.
    public let rawValue: String

    /// An identifier from its string.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An identifier from its string.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The top folder of every domain.
    public static let rootContainer = ItemIdentifier(".root")

    /// The string.
    public var description: String { rawValue }
}
