public import FoundationEssentials

/// What a person has to do, or should know, while they sign in.
public enum SignInStep: Hashable, Sendable {
    /// To go to an address with a browser on this machine.
    case open(url: String)
    /// To type a code at an address, with a browser anywhere. `completeURL` has it in it already; after `expires` it is worth nothing.
    case code(String, url: String, completeURL: String?, expires: Date?)
    /// Nothing: to know.
    case message(String)
    /// To answer a question before `expires`, by its number: ``SignInInteraction/answer(_:with:)``.
    case question(SignInField, number: Int, expires: Date)
}
