import DocentInterfaces

/// How far the download of a document's content has come.
public struct DownloadProgress: Sendable, Hashable {
    /// The number of bytes that have arrived.
    public let completedBytes: Int
    /// The total number of bytes; nil while unknown.
    public let totalBytes: Int?
    /// The recent rate in bytes per second; nil while unknown.
    public let bytesPerSecond: Double?

    /// Creates progress from its parts.
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
