/// The provider's own identifier for an item: any string that is unique in its domain. Rights and bookmarks are bound
/// to it, so it should survive a rename.
///
/// Identifiers are compared by bytes. Strings that only look alike, such as "é" as one character or as two, identify
/// different items, although Swift considers such strings equal.
public struct ItemIdentifier: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The string.
    public let rawValue: String

    /// Creates an identifier from a string.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates an identifier from a string.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The root folder of every domain.
    public static let rootContainer = ItemIdentifier(".root")

    /// The string.
    public var description: String { rawValue }

    /// Whether the bytes are the same.
    public static func == (left: ItemIdentifier, right: ItemIdentifier) -> Bool {
        left.rawValue.isSame(as: right.rawValue)
    }

    /// Whether the bytes differ. Without this, the standard library's operator for raw values would compare the
    /// strings.
    public static func != (left: ItemIdentifier, right: ItemIdentifier) -> Bool { !(left == right) }
}
