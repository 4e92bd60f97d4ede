/// A presenter and its messages.
struct PresenterRecord: Sendable {
    /// A message that the presenter did not answer in time.
    struct Late: Sendable {
        let claim: Claim.Identifier?
        let isRelinquish: Bool
    }

    var presenter: Presenter
    /// The message that it is handling. Nothing else is sent before it has answered.
    var unanswered: PresenterMessage?
    /// The messages to send after that, in order.
    var queue: ArraySlice<PresenterMessage> = []
    var late: [PresenterMessage.Identifier: Late] = [:]

    init(_ presenter: Presenter) { self.presenter = presenter }

    /// The messages that await an answer; the first has been sent.
    var questions: [PresenterMessage] { (unanswered.map { [$0] } ?? []) + queue.filter(\.needsAnswer) }
}
