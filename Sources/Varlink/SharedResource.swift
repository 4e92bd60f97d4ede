/// The resources that a server itself divides among its peers.
package enum SharedResource: Sendable, Hashable, CaseIterable {
    /// Open connections.
    case connections
    /// Incomplete messages.
    case unfinishedMessages
    /// Bytes of buffers for long messages, beyond what every connection may use.
    case messageBytes
    /// Received descriptors that are not yet taken by a complete message.
    case receivedDescriptors
}
