/// What a server shares out among its peers by itself (T4).
package enum SharedResource: Sendable, Hashable, CaseIterable {
    /// Open connections.
    case connections
    /// Messages that were begun and are not complete.
    case unfinishedMessages
    /// Bytes of buffers that long messages need beyond what each connection has.
    case messageBytes
    /// Descriptors that came and were not yet taken by a complete message.
    case receivedDescriptors
}
