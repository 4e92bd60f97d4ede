/// Hears of connections as they come and go. The two events are called on the connection's own thread.
package protocol ConnectionObserver: Sendable {
    /// A peer has connected. Throwing refuses it: its first call is answered with the thrown `VarlinkCallError`
    /// (another error goes through the server's error mapper) and the connection is closed.
    /// `connectionClosed` follows only if this did not throw.
    func connectionOpened(_ id: ConnectionIdentifier, peer: PeerCredentials, listener: String) throws

    /// The connection is gone. Its handlers have been told to cancel, and may still be running.
    func connectionClosed(_ id: ConnectionIdentifier)

    /// Whether this peer may have one of the connections that are kept in reserve (T4). Called on the listener's
    /// thread, only when the others are used up. No unless implemented.
    func mayUseReserve(peer: PeerCredentials, listener: String) -> Bool

    /// A one-way call was refused because the method changes state (T3) or streams. Does nothing unless implemented.
    func onewayRefused(_ id: ConnectionIdentifier, method: String)

    /// The server closed a connection because the peer broke a rule. Does nothing unless implemented.
    func connectionFailed(_ id: ConnectionIdentifier, _ error: VarlinkError)
}

extension ConnectionObserver {
    /// No reserve.
    package func mayUseReserve(peer: PeerCredentials, listener: String) -> Bool { false }

    /// Does nothing.
    package func onewayRefused(_ id: ConnectionIdentifier, method: String) {}

    /// Does nothing.
    package func connectionFailed(_ id: ConnectionIdentifier, _ error: VarlinkError) {}
}
