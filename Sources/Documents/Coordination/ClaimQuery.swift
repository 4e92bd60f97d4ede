import DocentInterfaces

/// A claim to be asked for, as often as daemons come and go meanwhile.
struct ClaimQuery: Sendable {
    /// In the order of the wire: what is opened comes first.
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
    /// When a claim that was lost is asked for again (D3).
    var knownVersion: String?

    /// The call's parameters for a daemon.
    ///
    /// - Parameter epoch: which daemon; a presenter is named only where it is registered.
    func parameters(_ epoch: Int) -> DocumentsInterface.Coordinate.Parameters {
        .init(
            accesses: intents.map(\.wire), operation: operation, purpose: purpose,
            presenter: registration?.name(in: epoch), within: within, answering: answering, thread: thread,
            open: opens ? true : nil, prepares: prepares ? true : nil, deadline: deadline, knownVersion: knownVersion)
    }
}
