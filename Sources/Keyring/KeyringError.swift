/// Why a keyring request failed.
package enum KeyringError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no session bus, or no Secret Service on it.
    case noService(String)
    /// The service has no collection to store in. The typical case is a gnome-keyring that was never unlocked.
    case noCollection(String)
    /// The collection is locked and was not unlocked.
    case locked
    /// The deadline passed. A write may still take effect later.
    case timedOut
    /// The task was cancelled. A write may still take effect later.
    case cancelled
    /// A part of the key has a NUL character, with which the service cannot distinguish it from other keys.
    case invalidKey(String)
    /// The rung cannot be used now; sentences that say why, and what to do.
    case unavailable(String)
    /// The rung cannot be written to; a sentence that says why.
    case readOnly(String)
    /// The stored data is invalid and is left unchanged; a sentence that says why.
    case damaged(String)
    /// Any other error, with the service's message.
    case failed(String)

    /// A message for people that says what to do.
    package var description: String {
        switch self {
        case .noService(let reason):
            "The system keyring cannot be reached (\(reason)). Start a Secret Service such as gnome-keyring in this session."
        case .noCollection(let reason):
            "The system keyring has no unlocked collection (\(reason)). Log in to the desktop, or unlock gnome-keyring "
                + "with `gnome-keyring-daemon --replace --unlock`."
        case .locked:
            "The system keyring is locked. Unlock it (`gnome-keyring-daemon --replace --unlock`) and try again."
        case .timedOut:
            "The system keyring did not answer in time. It may be waiting to be unlocked."
        case .cancelled:
            "The request to the system keyring was cancelled."
        case .invalidKey(let text):
            "\"\(text)\" cannot name a credential: it contains a NUL character."
        case .unavailable(let sentence), .readOnly(let sentence), .damaged(let sentence):
            sentence
        case .failed(let reason):
            "The system keyring refused: \(reason)."
        }
    }
}
