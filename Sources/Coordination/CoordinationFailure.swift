/// Why a claim was not granted.
package enum CoordinationFailure: Error, Hashable, Sendable {
    /// Its maker gave it up (2.8).
    case cancelled
    /// It is not allowed (2.6, 2.9); a sentence that says what is wrong and what to do instead.
    case misuse(String)
    /// A presenter could not save or accommodate; its words.
    case presenterFailed(Presenter.Identifier, String)
    /// A presenter did not answer in time.
    case presenterSilent(Presenter.Identifier, PresenterMessage.Identifier)
    /// What is to be read could not be fetched; for people.
    case providerFailed(String)
    /// It would have waited for itself: the cycle, from this claim and back to it (its node comes first and last).
    case deadlock([WaitNode])
    /// Its owner is gone.
    case ownerGone
}
