/// A presenter with the messages on their way to it.
struct PresenterRecord: Sendable {
    /// A message that the presenter did not answer in time.
    struct Late: Sendable {
        let claim: Claim.Identifier?
        let isRelinquish: Bool
    }

    var presenter: Presenter
    /// The message that it is handling; nothing else is sent before it has answered.
    var unanswered: PresenterMessage?
    /// What is to be sent then, in this order.
    var queue: ArraySlice<PresenterMessage> = []
    var late: [PresenterMessage.Identifier: Late] = [:]

    init(_ presenter: Presenter) { self.presenter = presenter }

    /// The messages whose answers somebody may wait for; the first of them has been sent.
    var questions: [PresenterMessage] { (unanswered.map { [$0] } ?? []) + queue.filter(\.needsAnswer) }
}
