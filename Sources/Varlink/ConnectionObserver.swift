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

    /// Whether a connection with this descriptor takes from what is kept in reserve (T4): then ``mayUseReserve(peer:listener:)``
    /// is asked. No unless implemented.
    func isInReserve(descriptor: CInt) -> Bool

    /// A call has come in. Throwing answers it with the error; nothing of it is run then. Called on the connection's own
    /// thread for every method that there is, so it only looks up. Lets everything through unless implemented.
    func callArrived(_ id: ConnectionIdentifier, method: String) throws

    /// A call cannot be answered at once: what is left of it runs in a task (T4). Throwing answers it with the error.
    ///
    /// - Returns: called once when that task has ended, on any thread, also after the connection has closed.
    func callWaits(_ id: ConnectionIdentifier, method: String) throws -> @Sendable () -> Void

    /// A one-way call was refused because the method changes state (T3) or streams. Does nothing unless implemented.
    func onewayRefused(_ id: ConnectionIdentifier, method: String)

    /// The server closed a connection because the peer broke a rule. Does nothing unless implemented.
    func connectionFailed(_ id: ConnectionIdentifier, _ error: VarlinkError)
}

extension ConnectionObserver {
    /// No reserve.
    package func mayUseReserve(peer: PeerCredentials, listener: String) -> Bool { false }

    /// No.
    package func isInReserve(descriptor: CInt) -> Bool { false }

    /// Lets it through.
    package func callArrived(_ id: ConnectionIdentifier, method: String) throws {}

    /// Lets it through.
    package func callWaits(_ id: ConnectionIdentifier, method: String) throws -> @Sendable () -> Void { {} }

    /// Does nothing.
    package func onewayRefused(_ id: ConnectionIdentifier, method: String) {}

    /// Does nothing.
    package func connectionFailed(_ id: ConnectionIdentifier, _ error: VarlinkError) {}
}
