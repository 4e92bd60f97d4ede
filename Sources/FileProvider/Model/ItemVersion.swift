/// What changes whenever the content of an item does, and only then: an entity tag, a revision, a digest.
///
/// A version that changes without the content makes the host download again and again (complaint 17). Two are the same when
/// their bytes are, as with ``ItemIdentifier``.
public struct ItemVersion: Hashable, Sendable, CustomStringConvertible {
    /// The most bytes that a version may have in UTF-8.
    public static let maximumLength = 128

    /// The version of the content, at most ``maximumLength`` bytes; an item with a longer one is refused.
    public var content: String

    /// A version of content.
    public init(content: String) { self.content = content }

    /// The version of the content.
    public var description: String { content }

    /// Whether the bytes are the same.
    public static func == (left: ItemVersion, right: ItemVersion) -> Bool { left.content.isSame(as: right.content) }
}
