/// A value that changes whenever the content of an item does, and only then: an entity tag, a revision, a digest.
///
/// A version that changes without the content makes the host download again and again. Versions are compared by bytes,
/// like ``ItemIdentifier``.
public struct ItemVersion: Hashable, Sendable, CustomStringConvertible {
    /// The maximum length of a version in bytes of UTF-8.
    public static let maximumLength = 128

    /// The version of the content, at most ``maximumLength`` bytes; an item with a longer one is refused.
    public var content: String

    /// Creates a version.
    public init(content: String) { self.content = content }

    /// The version of the content.
    public var description: String { content }

    /// Whether the bytes are the same.
    public static func == (left: ItemVersion, right: ItemVersion) -> Bool { left.content.isSame(as: right.content) }
}
