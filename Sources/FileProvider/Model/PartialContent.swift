/// What ``ReplicatedFileProvider/fetchPartialContents(of:version:range:into:progress:)`` has written. How many bytes
/// that were is known from the ``PartialContentWriter``.
public struct PartialContent: Hashable, Sendable {
    /// The version of the bytes that were written.
    public var version: ItemVersion
    /// The size of the whole content in bytes, if known.
    public var totalBytes: Int?

    /// Creates a result.
    public init(version: ItemVersion, totalBytes: Int? = nil) {
        self.version = version
        self.totalBytes = totalBytes
    }
}
