/// The outcome of a changing call.
public struct OperationOutcome: Sendable, Hashable {
    /// How far the change has come.
    public enum State: String, Sendable, Hashable {
        /// The operation is unknown; it changed nothing.
        case unknown
        /// It has begun but has not reached its commit point.
        case open
        /// It is durable, and will be published and uploaded.
        case committed
        /// It is complete.
        case finished
        /// It failed, for the reason in ``OperationOutcome/message``.
        case failed
    }

    /// How far the change has come.
    public let state: State
    /// The reason why it failed; nil unless it did.
    public let message: String?
    /// The document that it created or changed; nil when unknown.
    public let reference: DocumentReference?
}
