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
    /// What all 64 connections of one principal leave unread must stay below the 256 open files of an extension host: the kernel
    /// lets a process send none while more than its own limit are in flight for the user (T4).
    package var outputDescriptors = 3
    /// A reply that could not be handed over for so long closes the connection.
    package var unreadTimeout: Duration = .seconds(30)
    /// A message that was begun must be complete after so long, or the connection is closed.
    package var incompleteTimeout: Duration = .seconds(30)
    /// Connections of one process. A peer whose process is unknown (0) counts as one process.
    package var connectionsPerPeer = 64
    /// Connections of all peers together.
    package var connections = 1024
    /// How many of `connections` are kept for peers that the observer lets use the reserve.
    package var reservedConnections = 64
    /// Spin for at most 30 µs before blocking when traffic is lively and there is more than one CPU.
    package var spins = true

    /// The limits of T4.
    package init() {}
}
