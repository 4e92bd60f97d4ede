import DocentInterfaces

/// How far an export or a move has come. It is complete when the document is safe and readable in its provider. A
/// provider that keeps it on a server uploads it afterwards; see ``UploadState``.
public struct ExportProgress: Sendable, Hashable {
    /// The stages of the work. Each starts again at 0 bytes. For a small file, some stages may not be reported.
    public enum Stage: String, Sendable, Hashable, CaseIterable {
        /// The source is being read.
        case copying
        /// The copy is being verified and made durable.
        case checking
        /// The provider is taking over the copy. If a provider's picker uploads it itself, that is included.
        case publishing
    }

    /// The current stage.
    public let stage: Stage
    /// The number of bytes done in this stage.
    public let completedBytes: Int
    /// The total number of bytes; nil while unknown.
    public let totalBytes: Int?
    /// The recent rate in bytes per second; nil while unknown.
    public let bytesPerSecond: Double?

    /// Creates progress from its parts.
    package init(stage: Stage, completedBytes: Int, totalBytes: Int? = nil, bytesPerSecond: Double? = nil) {
        self.stage = stage
        self.completedBytes = completedBytes
        self.totalBytes = totalBytes
        self.bytesPerSecond = bytesPerSecond
    }

    /// The progress in a reply. Nil for a reply without progress, such as the last, and for a stage that this build
    /// does not know.
    init?(stage: String?, completedBytes: Int?, totalBytes: Int?, bytesPerSecond: Double?) {
        guard let stage = stage.flatMap(Stage.init), let completedBytes else { return nil }
        self.init(
            stage: stage, completedBytes: completedBytes, totalBytes: totalBytes, bytesPerSecond: bytesPerSecond)
    }
}
