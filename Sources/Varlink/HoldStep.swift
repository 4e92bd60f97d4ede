/// What a client makes of a reply to a call that is to hold something.
package enum HoldStep<Value: Sendable>: Sendable {
    /// It still waits.
    case waits
    /// It holds what it asked for; so many descriptors belong to this reply.
    case holds(Value, descriptorCount: Int)
}
