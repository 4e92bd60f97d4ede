public import FoundationEssentials

/// A step or a message for the person who signs in.
public enum SignInStep: Hashable, Sendable {
    /// Open an address in a browser on this machine.
    case open(url: String)
    /// Type a code at an address, in a browser on any machine. `completeURL` already contains the code, which is
    /// invalid after `expires`.
    case code(String, url: String, completeURL: String?, expires: Date?)
    /// Read a message.
    case message(String)
    /// Answer a question before `expires`, by its number: ``SignInInteraction/answer(_:with:)``.
    case question(SignInField, number: Int, expires: Date)
}
