/// A call that a test provider received.
package struct ProviderCall: Sendable, Hashable, CustomStringConvertible {
    /// The methods of a provider that a test can count, block and make fail.
    package enum Method: String, Sendable {
        case item, child, children, open, fetch, create, modify, move, delete, observe, signIn, signOut, usage
        case trash, restore, perform, thumbnail, versions, fetchVersion, revert
    }

    /// The method.
    package let method: Method
    /// The identifier of the item, the name of a new item, or the name of an account.
    package let subject: String
    /// The name of the operation, for a change.
    package var operation: String?

    package var description: String { "\(method.rawValue) \(subject)" }
}
