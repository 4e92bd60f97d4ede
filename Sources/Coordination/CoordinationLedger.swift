/// A snapshot of all claims and presenters, to find the cause of a wait.
package struct CoordinationLedger: Hashable, Sendable {
    /// A claim's progress.
    package enum Stage: String, Hashable, Sendable {
        /// Waiting for its turn.
        case waiting
        /// Presenters were asked and have not answered yet.
        case asking
        /// Its content is being fetched.
        case providing
        /// Granted.
        case held
    }

    /// A claim.
    package struct Entry: Hashable, Sendable {
        /// The claim, with the current locations of its items.
        package let claim: Claim
        /// The claim's progress.
        package let stage: Stage
        /// What it waits for directly. Never empty for a claim that is not held.
        package let waitsFor: [WaitNode]
    }

    /// A presenter.
    package struct PresenterEntry: Hashable, Sendable {
        /// The presenter, with the current location of its item.
        package let presenter: Presenter
        /// The messages that await an answer; the first has been sent.
        package let unanswered: [PresenterMessage]
    }

    /// The claims in the order of arrival.
    package let claims: [Entry]
    /// The presenters in the order of their names.
    package let presenters: [PresenterEntry]
}
