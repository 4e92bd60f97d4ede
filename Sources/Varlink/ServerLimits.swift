/// The limits for one peer. A connection's calls are handled one at a time, so calls that a peer sends ahead wait in
/// the kernel's socket buffer.
package struct ServerLimits: Sendable {
    /// The longest message in bytes, in either direction, without the closing NUL.
    package var messageBytes = 1 << 20
    /// The deepest nesting of a message.
    package var depth = 32
    /// The most descriptors in one message.
    package var descriptorsPerMessage = 16
    /// The most received descriptors that are not yet taken by a complete message.
    package var queuedDescriptors = 32
    /// The most bytes of replies that may wait for the peer; a single reply may always wait.
    package var outputBytes = 1 << 20
    /// The most descriptors that may wait for the peer, in the queue and unread in its socket; a single reply may
    /// always wait.
    ///
    /// The unread descriptors of all 64 connections of a holder must stay below the 256 open files of an extension
    /// host: while more than a process's own limit are in flight for the user, the kernel lets it send none.
    package var outputDescriptors = 3
    /// A connection is closed when a reply could not be delivered for this long.
    package var unreadTimeout: Duration = .seconds(30)
    /// A connection is closed when a message is incomplete for this long.
    package var incompleteTimeout: Duration = .seconds(30)
    /// How long a refused connection stays open, so that its peer can send a call and read the reason.
    package var refusalTimeout: Duration = .seconds(1)
    /// Connections. Here each unconfined program is a process. Part of the total is reserved for unconfined programs,
    /// and part for confined clients.
    package var connections = ShareLimits(
        total: 1024, unconfined: .init(each: 64, together: 768), confined: .init(each: 64, together: 640),
        unrecognised: .init(each: 32, together: 128))
    /// Incomplete messages.
    package var unfinishedMessages = ShareLimits(
        total: 512, unconfined: .init(each: 64, together: 384), confined: .init(each: 32, together: 256),
        unrecognised: .init(each: 16, together: 64))
    /// Bytes of buffers beyond the 64 KiB that every connection may use.
    package var messageBufferBytes = ShareLimits(
        total: 256 << 20, unconfined: .init(each: 64 << 20, together: 128 << 20),
        confined: .init(each: 16 << 20, together: 96 << 20), unrecognised: .init(each: 4 << 20, together: 16 << 20))
    /// Descriptors that arrived with incomplete messages.
    package var receivedDescriptors = ShareLimits(
        total: 1024, unconfined: .init(each: 256, together: 512), confined: .init(each: 128, together: 384),
        unrecognised: .init(each: 32, together: 64))
    /// Whether to spin for at most 30 µs before blocking, after recent traffic and with more than one CPU.
    package var spins = true

    /// Creates the default limits.
    package init() {}

    /// The limits of a shared resource.
    package subscript(resource: SharedResource) -> ShareLimits {
        switch resource {
        case .connections: connections
        case .unfinishedMessages: unfinishedMessages
        case .messageBytes: messageBufferBytes
        case .receivedDescriptors: receivedDescriptors
        }
    }
}
