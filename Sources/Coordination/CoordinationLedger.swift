/// How everything stands, for people who look for the culprit of a wait (SEMANTICS 2.9).
package struct CoordinationLedger: Hashable, Sendable {
    /// How far a claim has come.
    package enum Stage: String, Hashable, Sendable {
        /// Its turn has not come.
        case waiting
        /// Presenters have been asked and have not answered yet.
        case asking
        /// What it reads is being fetched.
        case providing
        /// It was granted.
        case held
    }

    /// One claim.
    package struct Entry: Hashable, Sendable {
        /// The claim, with its items where they are now.
        package let claim: Claim
        /// How far it has come.
        package let stage: Stage
        /// What it waits for directly. Never empty for a claim that is not held.
        package let waitsFor: [WaitNode]
    }

    /// One presenter.
    package struct PresenterEntry: Hashable, Sendable {
        /// The presenter, with its item where it is now.
        package let presenter: Presenter
        /// The messages whose answers somebody waits for; the first has been sent.
        package let unanswered: [PresenterMessage]
    }

    /// The claims in the order of arrival.
    package let claims: [Entry]
    /// The presenters in the order of their names.
    package let presenters: [PresenterEntry]
}
