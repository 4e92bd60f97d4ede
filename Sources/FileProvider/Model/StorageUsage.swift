/// How much space an account has, as far as its service says. What is not known is nil.
public struct StorageUsage: Hashable, Sendable {
    /// All the space of the account in bytes, used or not; nil if there is no limit, or if it is not known. The host
    /// derives it if the other two are known.
    public var totalBytes: Int?
    /// The space that is in use, in bytes. It may exceed ``totalBytes``: some services accept more than was agreed.
    public var usedBytes: Int?
    /// How much can still be stored, in bytes.
    public var availableBytes: Int?

    /// Creates a description. No value may be negative.
    public init(totalBytes: Int? = nil, usedBytes: Int? = nil, availableBytes: Int? = nil) {
        self.totalBytes = totalBytes
        self.usedBytes = usedBytes
        self.availableBytes = availableBytes
    }

    /// Checks the values of a provider.
    ///
    /// - Throws: ``FileProviderError`` for one that cannot be.
    func validated() throws(FileProviderError) -> StorageUsage {
        let values = [("totalBytes", totalBytes), ("usedBytes", usedBytes), ("availableBytes", availableBytes)]
        for (name, value) in values {
            if let value, value < 0 {
                throw FileProviderError(
                    .failed, "The provider gave \(value) as \(name) of its usage. Space that is not known is nil.")
            }
        }
        return self
    }
}
