/// Hears of connections as they come and go. The two events are called on the connection's own thread.
package protocol ConnectionObserver: Sendable {
    /// A peer has connected. Throwing refuses it: its first call is answered with the thrown `VarlinkCallError`
    /// (another error goes through the server's error mapper) and the connection is closed.
    /// `connectionClosed` follows only if this did not throw.
    func connectionOpened(_ id: ConnectionIdentifier, peer: PeerCredentials, listener: String) throws

    /// The connection is gone. Its handlers have been told to cancel, and may still be running.
    func connectionClosed(_ id: ConnectionIdentifier)

    /// Who a peer is, as far as that is known at once: its share is what counts (T4). Called on the listener's thread,
    /// so it never waits. Its own process as an unconfined program unless implemented.
    func holder(of peer: PeerCredentials, listener: String) -> ShareHolder

    /// Who the peer of an accepted connection is. Asked after `connectionOpened` of a peer that was unrecognised
    /// before; nil leaves it so.
    func recognisedHolder(_ id: ConnectionIdentifier) -> ShareHolder?

    /// Whether a connection with this descriptor takes from what is kept in reserve (T4), which only unconfined peers
    /// may. No unless implemented.
    func isInReserve(descriptor: CInt) -> Bool

    /// The error for a peer that may not have more of something. An `Unavailable` of the server's own unless
    /// implemented.
    func refusal(
        _ refusal: PrincipalShares.Refusal, of resource: SharedResource, to holder: ShareHolder
    ) -> any Error

    /// A call has come in. Throwing answers it with the error; its parameters are not read then. Called on the
    /// connection's own thread for every method that there is, so it only looks up. Lets through what is for everyone
    /// unless implemented.
    ///
    /// - Parameter authority: who may call this method.
    func callArrived(_ id: ConnectionIdentifier, method: String, authority: MethodAuthority) throws

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
    /// Its process.
    package func holder(of peer: PeerCredentials, listener: String) -> ShareHolder {
        ShareHolder(.unconfined, process: peer)
    }

    /// Nobody else than before.
    package func recognisedHolder(_ id: ConnectionIdentifier) -> ShareHolder? { nil }

    /// For the server's error mapper.
    package func refusal(
        _ refusal: PrincipalShares.Refusal, of resource: SharedResource, to holder: ShareHolder
    ) -> any Error { VarlinkError(.unavailable, "There is too much of one peer: \(resource).") }

    /// No.
    package func isInReserve(descriptor: CInt) -> Bool { false }

    /// Lets through what is for everyone.
    package func callArrived(_ id: ConnectionIdentifier, method: String, authority: MethodAuthority) throws {
        guard authority == .everyone else { throw VarlinkCallError.methodNotFound(method) }
    }

    /// Lets it through.
    package func callWaits(_ id: ConnectionIdentifier, method: String) throws -> @Sendable () -> Void { {} }

    /// Does nothing.
    package func onewayRefused(_ id: ConnectionIdentifier, method: String) {}

    /// Does nothing.
    package func connectionFailed(_ id: ConnectionIdentifier, _ error: VarlinkError) {}
}
