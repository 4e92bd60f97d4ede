/// How much space the account of a document has, as far as its provider says.
public struct AccountUsage: Hashable, Sendable {
    /// All the space of the account in bytes, used or not; nil if there is no limit, or if it is not known.
    public var totalBytes: Int?
    /// The space that is in use, in bytes; nil if not known. It may exceed ``totalBytes``.
    public var usedBytes: Int?
    /// How much can still be stored, in bytes; nil if there is no limit, or if it is not known.
    public var availableBytes: Int?

    /// Creates a description.
    public init(totalBytes: Int? = nil, usedBytes: Int? = nil, availableBytes: Int? = nil) {
        self.totalBytes = totalBytes
        self.usedBytes = usedBytes
        self.availableBytes = availableBytes
    }
}
