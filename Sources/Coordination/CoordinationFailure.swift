/// Why a claim was not granted.
package enum CoordinationFailure: Error, Hashable, Sendable {
    /// It was cancelled.
    case cancelled
    /// It is not allowed; the message says what is wrong and what to do instead.
    case misuse(String)
    /// A presenter could not save or accommodate, with its reason.
    case presenterFailed(Presenter.Identifier, String)
    /// A presenter did not answer in time.
    case presenterSilent(Presenter.Identifier, PresenterMessage.Identifier)
    /// The content could not be fetched; a message for people.
    case providerFailed(String)
    /// It would have waited for itself. The cycle starts and ends with this claim's node.
    case deadlock([WaitNode])
    /// Its owner has ended.
    case ownerGone
}
