/// What one peer may ask of a server (T1, T4). Calls of one connection are served one at a time, so what a peer sends
/// ahead of its replies waits in the kernel's socket buffer.
package struct ServerLimits: Sendable {
    /// The longest message in bytes, both ways, without the closing NUL.
    package var messageBytes = 1 << 20
    /// The deepest nesting of a message.
    package var depth = 32
    /// The most descriptors in one message.
    package var descriptorsPerMessage = 16
    /// The most descriptors that were received and are not yet taken by a complete message.
    package var queuedDescriptors = 32
    /// How many bytes of replies may wait for the peer; one reply may always wait.
    package var outputBytes = 1 << 20
    /// How many descriptors may wait for the peer, in our queue and unread in its socket; one reply may always wait.
    ///
    /// What all 64 connections of one principal leave unread must stay below the 256 open files of an extension host:
    /// the kernel lets a process send none while more than its own limit are in flight for the user (T4).
    package var outputDescriptors = 3
    /// A reply that could not be handed over for so long closes the connection.
    package var unreadTimeout: Duration = .seconds(30)
    /// A message that was begun must be complete after so long, or the connection is closed.
    package var incompleteTimeout: Duration = .seconds(30)
    /// How long a connection that is refused stays open, for its peer to ask and to read why.
    package var refusalTimeout: Duration = .seconds(1)
    /// Connections. An unconfined program is a process here; what confined clients cannot take is kept for unconfined
    /// ones, and the other way round.
    package var connections = ShareLimits(
        total: 1024, unconfined: .init(each: 64, together: 768), confined: .init(each: 64, together: 640),
        unrecognised: .init(each: 32, together: 128))
    /// Messages that were begun and are not complete.
    package var unfinishedMessages = ShareLimits(
        total: 512, unconfined: .init(each: 64, together: 384), confined: .init(each: 32, together: 256),
        unrecognised: .init(each: 16, together: 64))
    /// Bytes of buffers above the 64 KiB that each connection has without asking.
    package var messageBufferBytes = ShareLimits(
        total: 256 << 20, unconfined: .init(each: 64 << 20, together: 128 << 20),
        confined: .init(each: 16 << 20, together: 96 << 20), unrecognised: .init(each: 4 << 20, together: 16 << 20))
    /// Descriptors that came with messages which are not complete.
    package var receivedDescriptors = ShareLimits(
        total: 1024, unconfined: .init(each: 256, together: 512), confined: .init(each: 128, together: 384),
        unrecognised: .init(each: 32, together: 64))
    /// Spin for at most 30 µs before blocking when traffic is lively and there is more than one CPU.
    package var spins = true

    /// The limits of T4.
    package init() {}

    /// The limits of what is shared out.
    package subscript(resource: SharedResource) -> ShareLimits {
        switch resource {
        case .connections: connections
        case .unfinishedMessages: unfinishedMessages
        case .messageBytes: messageBufferBytes
        case .receivedDescriptors: receivedDescriptors
        }
    }
}
