/// What became of a changing call.
public struct OperationOutcome: Sendable, Hashable {
    /// How far it came.
    public enum State: String, Sendable, Hashable {
        /// Nobody knows of it; nothing was changed by it.
        case unknown
        /// It began and has not reached its commit point.
        case open
        /// It is durable, and will be published and sent.
        case committed
        /// It is done.
        case finished
        /// It failed, for the reason in the message.
        case failed
    }

    /// How far it came.
    public let state: State
    /// Why it failed, if it did.
    public let message: String?
    /// The document that it made or changed, where that is known.
    public let reference: DocumentReference?
}
