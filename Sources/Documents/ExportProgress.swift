import DocentInterfaces

/// How far an export or a move has come (C3, C4). It ends when the document is safe and readable in its provider; that one which keeps it
/// on a server is sent afterwards, and ``UploadState`` tells of that.
public struct ExportProgress: Sendable, Hashable {
    /// What is being done. Each begins anew with 0 bytes; not each is told of a small file.
    public enum Stage: String, Sendable, Hashable, CaseIterable {
        /// The source is read.
        case copying
        /// The copy is read again, and made durable.
        case checking
        /// The provider takes it over; where the picker of a provider brings it to its server itself, that too (C6, C7).
        case publishing
    }

    /// What is being done.
    public let stage: Stage
    /// Bytes that are done in this stage.
    public let completedBytes: Int
    /// Bytes that there are; nil while unknown.
    public let totalBytes: Int?
    /// Bytes per second of late; nil while unknown.
    public let bytesPerSecond: Double?

    /// Progress from its parts.
    package init(stage: Stage, completedBytes: Int, totalBytes: Int? = nil, bytesPerSecond: Double? = nil) {
        self.stage = stage
        self.completedBytes = completedBytes
        self.totalBytes = totalBytes
        self.bytesPerSecond = bytesPerSecond
    }

    /// That of a reply; nil for one that tells none, as the last, or of a stage that is not known here (T5).
    init?(stage: String?, completedBytes: Int?, totalBytes: Int?, bytesPerSecond: Double?) {
        guard let stage = stage.flatMap(Stage.init), let completedBytes else { return nil }
        self.init(
            stage: stage, completedBytes: completedBytes, totalBytes: totalBytes, bytesPerSecond: bytesPerSecond)
    }
}
