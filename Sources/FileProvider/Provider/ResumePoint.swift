/// Where an interrupted download can resume: the number of bytes that are present, and their version.
///
/// A provider that resumes calls ``ContentWriter/begin(at:)``. One that cannot, or whose item has another version by
/// now, writes from the start.
public struct ResumePoint: Hashable, Sendable {
    /// How many bytes are present from the start, at least 1.
    public var offset: Int
    /// The version of these bytes.
    public var version: ItemVersion

    /// Creates a resume point.
    public init(offset: Int, version: ItemVersion) {
        self.offset = offset
        self.version = version
    }
}
