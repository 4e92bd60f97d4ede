/// Why the keyring did not do what it was asked.
package enum KeyringError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no session bus or no Secret Service on it.
    case noService(String)
    /// The service has no collection to store in: typically gnome-keyring that nobody has unlocked (TRIED, trap 7).
    case noCollection(String)
    /// The collection is locked, and nobody unlocked it when asked.
    case locked
    /// The deadline passed. A write may nevertheless take place later.
    case timedOut
    /// The task was cancelled. A write may nevertheless take place later.
    case cancelled
    /// A part of the key has a NUL character, which the service cannot keep apart from another key.
    case invalidKey(String)
    /// The rung cannot be used now; why, and what to do, in sentences.
    case unavailable(String)
    /// The rung cannot be written to; why, in a sentence.
    case readOnly(String)
    /// What lies there cannot be understood, and is left as it is; why, in a sentence.
    case damaged(String)
    /// Anything else, in the words of the service.
    case failed(String)

    /// A sentence that says what to do.
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
            "The system keyring did not answer in time. It may be waiting for somebody to unlock it."
        case .cancelled:
            "The request to the system keyring was cancelled."
        case .invalidKey(let text):
            "“\(text)” cannot name a credential: it has a NUL character."
        case .unavailable(let sentence), .readOnly(let sentence), .damaged(let sentence):
            sentence
        case .failed(let reason):
            "The system keyring refused: \(reason)."
        }
    }
}
