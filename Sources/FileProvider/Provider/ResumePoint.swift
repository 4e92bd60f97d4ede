/// Where a download that was cut can go on: so many bytes are there already, of that version.
///
/// A provider that can go on calls ``ContentWriter/begin(at:)``; one that cannot, or whose item is at another version
/// meanwhile, writes from the start.
public struct ResumePoint: Hashable, Sendable {
    /// How many bytes from the start are there, at least 1.
    public var offset: Int
    /// The version that they are of.
    public var version: ItemVersion

    /// A point from its parts.
    public init(offset: Int, version: ItemVersion) {
        self.offset = offset
        self.version = version
    }
}
