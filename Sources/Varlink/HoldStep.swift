/// A client's interpretation of a reply to a call that is to be held.
package enum HoldStep<Value: Sendable>: Sendable {
    /// The call is still waiting.
    case waits
    /// The call is held; this reply has that number of descriptors.
    case holds(Value, descriptorCount: Int)
}
