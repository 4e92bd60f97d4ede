import DocentInterfaces

/// How far a document's content has come on its way here.
public struct DownloadProgress: Sendable, Hashable {
    /// Bytes that are here.
    public let completedBytes: Int
    /// Bytes that there are; nil while unknown.
    public let totalBytes: Int?
    /// Bytes per second of late; nil while unknown.
    public let bytesPerSecond: Double?

    /// Progress from its parts.
    package init(completedBytes: Int, totalBytes: Int? = nil, bytesPerSecond: Double? = nil) {
        self.completedBytes = completedBytes
        self.totalBytes = totalBytes
        self.bytesPerSecond = bytesPerSecond
    }

    init(_ reply: DocumentsInterface.Download.Reply) {
        self.init(
            completedBytes: reply.completedBytes, totalBytes: reply.totalBytes, bytesPerSecond: reply.bytesPerSecond)
    }
}
