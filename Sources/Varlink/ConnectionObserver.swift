/// Observes the connections of a server. The opened and closed events are called on the connection's own thread.
package protocol ConnectionObserver: Sendable {
    /// Called when a peer has connected. An error refuses it: its first call is answered with the thrown
    /// `VarlinkCallError` (other errors go through the server's error mapper), and the connection is closed.
    /// `connectionClosed` follows only if this did not throw.
    func connectionOpened(_ id: ConnectionIdentifier, peer: PeerCredentials, listener: String) throws

    /// Called when the connection has ended. Its handlers have been cancelled but may still be running.
    func connectionClosed(_ id: ConnectionIdentifier)

    /// The holder whose share a peer uses, as far as it is known at once. Called on the listener's thread, so it must
    /// not block. By default the peer's own process, as an unconfined program.
    func holder(of peer: PeerCredentials, listener: String) -> ShareHolder

    /// The holder of an accepted connection. Asked after `connectionOpened` for a peer that was not recognised before;
    /// nil leaves it unrecognised.
    func recognisedHolder(_ id: ConnectionIdentifier) -> ShareHolder?

    /// Whether a connection with this descriptor takes from the reserve, which is only for unconfined peers. False by
    /// default.
    func isInReserve(descriptor: CInt) -> Bool

    /// The error for a peer that has used up its share of a resource. By default an `Unavailable` from the server.
    func refusal(
        _ refusal: PrincipalShares.Refusal, of resource: SharedResource, to holder: ShareHolder
    ) -> any Error

    /// Called when a call has arrived. An error becomes the reply, and the parameters are not read. Called on the
    /// connection's own thread for every method, so it must be fast. By default it allows the methods for everyone.
    ///
    /// - Parameter authority: who may call this method.
    func callArrived(_ id: ConnectionIdentifier, method: String, authority: MethodAuthority) throws

    /// Called when a call cannot be answered at once and the rest of it runs in a task. An error becomes the reply.
    ///
    /// - Returns: a function that is called once when that task has ended, on any thread, possibly after the connection
    ///   has closed.
    func callWaits(_ id: ConnectionIdentifier, method: String) throws -> @Sendable () -> Void

    /// Called when a one-way call was refused because the method changes state or streams. Does nothing by default.
    func onewayRefused(_ id: ConnectionIdentifier, method: String)

    /// Called when the server closed a connection because the peer violated the protocol. Does nothing by default.
    func connectionFailed(_ id: ConnectionIdentifier, _ error: VarlinkError)
}

extension ConnectionObserver {
    /// Returns the peer's process, as an unconfined program.
    package func holder(of peer: PeerCredentials, listener: String) -> ShareHolder {
        ShareHolder(.unconfined, process: peer)
    }

    /// Returns nil: the holder does not change.
    package func recognisedHolder(_ id: ConnectionIdentifier) -> ShareHolder? { nil }

    /// Returns an error for the server's error mapper.
    package func refusal(
        _ refusal: PrincipalShares.Refusal, of resource: SharedResource, to holder: ShareHolder
    ) -> any Error { VarlinkError(.unavailable, "The peer has used up its share: \(resource).") }

    /// Returns false.
    package func isInReserve(descriptor: CInt) -> Bool { false }

    /// Allows the methods for everyone.
    package func callArrived(_ id: ConnectionIdentifier, method: String, authority: MethodAuthority) throws {
        guard authority == .everyone else { throw VarlinkCallError.methodNotFound(method) }
    }

    /// Allows the call.
    package func callWaits(_ id: ConnectionIdentifier, method: String) throws -> @Sendable () -> Void { {} }

    /// Does nothing.
    package func onewayRefused(_ id: ConnectionIdentifier, method: String) {}

    /// Does nothing.
    package func connectionFailed(_ id: ConnectionIdentifier, _ error: VarlinkError) {}
}
