/// The provider's own name for an item: any string that names it uniquely in its domain (F2). Rights and bookmarks are
/// bound to it, so it should survive a rename (complaint 18).
///
/// Two are the same when their bytes are. Texts that only look alike, such as an “é” of one character or of two, are the
/// identifiers of two items, though Swift takes such strings as equal.
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

    /// Whether the bytes are the same.
    public static func == (left: ItemIdentifier, right: ItemIdentifier) -> Bool {
        left.rawValue.isSame(as: right.rawValue)
    }

    /// Whether the bytes differ. Without this one the standard library's for raw values would compare the strings.
    public static func != (left: ItemIdentifier, right: ItemIdentifier) -> Bool { !(left == right) }
}
