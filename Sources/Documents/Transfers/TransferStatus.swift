package import DocentInterfaces

/// What is in transit of a document, or of everything in a folder, and what has ended since it is watched.
public struct TransferStatus: Sendable, Hashable {
    /// The largest number of ``failures``.
    public static let mostFailures = 100

    /// The document or folder, as it is now; nil before the first answer.
    public private(set) var item: DocumentItem?
    /// The transfers that run, wait or have failed; those that run come first. At most 200.
    public private(set) var transfers: [DocumentTransfer] = []
    /// How many run.
    public private(set) var running = 0
    /// How many wait, are paused, or are tried again.
    public private(set) var waiting = 0
    /// How many uploads wait for a decision of the user.
    public private(set) var failed = 0
    /// The bytes that were transferred by those that run or wait.
    public private(set) var completedBytes = 0
    /// The bytes of those that run or wait; nil while one of the sizes is unknown.
    public private(set) var totalBytes: Int?
    /// The rate of all together in bytes per second; nil while unknown.
    public private(set) var bytesPerSecond: Double?
    /// How many have succeeded since the document or folder is watched.
    public private(set) var finishedCount = 0
    /// How many have ended without success since then, except those that were cancelled.
    public private(set) var failedCount = 0
    /// The last of those, the newest at the end.
    public private(set) var failures: [DocumentTransfer] = []
    /// What has ended since the update before.
    public private(set) var ended: [DocumentTransfer] = []
    /// Whether there is more than is listed.
    public private(set) var isCut = false

    /// Nothing is known yet.
    package init() {}

    /// Whether nothing is in transit.
    public var isIdle: Bool { item != nil && running == 0 && waiting == 0 }

    /// How much of what runs or waits was transferred, from 0 to 1; nil while a size is unknown, and when nothing is in
    /// transit.
    public var fraction: Double? {
        guard let totalBytes, running + waiting > 0 else { return nil }
        guard totalBytes > 0 else { return 0 }
        return min(1, max(0, Double(completedBytes) / Double(totalBytes)))
    }

    /// How much of a document's content is on this machine; nil for a folder.
    public var downloadingStatus: DownloadingStatus? {
        item.flatMap { $0.isFolder ? nil : $0.downloadingStatus }
    }

    /// Why the last transfer failed, or does not go on; nil if nothing is wrong.
    public var message: String? {
        transfers.first { $0.message != nil }?.message ?? failures.last?.message
    }

    /// Takes what the daemon reports.
    package mutating func take(_ reply: DocumentsInterface.Watch.Reply) {
        if let item = reply.item { self.item = DocumentItem(item) }
        transfers = reply.transfers.map(DocumentTransfer.init)
        (running, waiting, failed) = (reply.running, reply.waiting, reply.failed)
        (completedBytes, totalBytes) = (reply.completedBytes, reply.totalBytes)
        bytesPerSecond = reply.bytesPerSecond
        isCut = reply.isCut ?? false
        ended = (reply.ended ?? []).map(DocumentTransfer.init)
        finishedCount += ended.count { $0.state == .finished }
        let lost = ended.filter { $0.state == .failed }
        failedCount += lost.count
        failures = (failures + lost).suffix(Self.mostFailures)
    }
}
