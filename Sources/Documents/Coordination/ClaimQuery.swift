import DocentInterfaces

/// A claim to ask for. It may be sent to several daemons in turn, if they restart meanwhile.
struct ClaimQuery: Sendable {
    /// In wire order: the item to open comes first.
    var intents: [FileAccessIntent]
    var operation = ClaimName.make()
    var purpose: String?
    var registration: PresenterRegistration?
    var within: [String]?
    var answering: [String]?
    var thread: String?
    var opens = false
    var prepares = false
    var deadline: Double?
    /// Set when a lost claim is acquired again.
    var knownVersion: String?

    /// The parameters of the call.
    ///
    /// - Parameter epoch: the daemon's epoch. A presenter is named only where it is registered.
    func parameters(_ epoch: Int) -> DocumentsInterface.Coordinate.Parameters {
        .init(
            accesses: intents.map(\.wire), operation: operation, purpose: purpose,
            presenter: registration?.name(in: epoch), within: within, answering: answering, thread: thread,
            open: opens ? true : nil, prepares: prepares ? true : nil, deadline: deadline, knownVersion: knownVersion)
    }
}
