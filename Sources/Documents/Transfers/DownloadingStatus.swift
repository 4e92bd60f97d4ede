/// How much of a document's content is on this machine.
public enum DownloadingStatus: Sendable, Hashable {
    /// Nothing, or not all of it.
    case notDownloaded
    /// All of it, but the provider has newer content by now.
    case downloaded
    /// All of it, and nothing newer is known.
    case current
}

extension DocumentItem {
    /// How much of the content is on this machine, as of this description. ``TransferMonitor`` follows it.
    public var downloadingStatus: DownloadingStatus {
        guard isDownloaded else { return .notDownloaded }
        return isStale ? .downloaded : .current
    }
}
