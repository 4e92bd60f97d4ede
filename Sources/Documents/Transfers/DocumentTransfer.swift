package import DocentInterfaces

/// A download or an upload of a document.
public struct DocumentTransfer: Sendable, Hashable {
    /// The direction of a transfer.
    public enum Kind: Sendable, Hashable {
        /// Content comes to this machine.
        case download
        /// What was saved is sent to the provider.
        case upload
    }

    /// The state of a transfer.
    public enum State: Sendable, Hashable {
        /// It waits for its turn.
        case waiting
        case running
        /// It did not succeed, and is tried again by itself.
        case retrying
        /// Its account is offline or not signed in; it goes on afterwards.
        case paused
        /// It cannot go on without the user. A download is then over; an upload stays.
        case failed
        /// Everything has arrived.
        case finished
        /// It was cancelled, or nobody was waiting for it any more.
        case cancelled
        /// A state that this version does not know.
        case other(String)

        /// Whether something is still to be transferred, without anybody doing anything.
        public var isInTransit: Bool {
            switch self {
            case .waiting, .running, .retrying, .paused, .other: true
            case .failed, .finished, .cancelled: false
            }
        }
    }

    /// The document.
    public let reference: DocumentReference
    /// Its name.
    public let name: String
    /// The direction.
    public let kind: Kind
    /// What it is doing.
    public let state: State
    /// The number of bytes that were transferred.
    public let completedBytes: Int
    /// The total number of bytes; nil while unknown.
    public let totalBytes: Int?
    /// The recent rate in bytes per second; nil while unknown and when it does not run.
    public let bytesPerSecond: Double?
    /// Why it does not go on, for the user; nil if nothing is wrong.
    public let message: String?
    /// When it is tried again, in seconds since 1970-01-01 UTC.
    public let nextAttempt: Double?

    package init(_ wire: Wire.DocumentTransfer) {
        reference = DocumentReference(wire.reference)
        name = wire.name
        kind = wire.kind == "upload" ? .upload : .download
        completedBytes = wire.completedBytes
        totalBytes = wire.totalBytes
        bytesPerSecond = wire.bytesPerSecond
        message = wire.message
        nextAttempt = wire.nextAttempt
        state =
            switch wire.state {
            case "waiting": .waiting
            case "running": .running
            case "retrying": .retrying
            case "paused": .paused
            case "failed": .failed
            case "finished": .finished
            case "cancelled": .cancelled
            default: .other(wire.state)
            }
    }
}
