import CVarlinkSocket
package import Glibc

/// The peer of a connection, as the kernel recorded it when the connection was made.
package struct PeerCredentials: Sendable {
    /// The peer's process; 0 if it is outside our PID namespace.
    package let processIdentifier: pid_t
    /// The peer's effective user.
    package let userIdentifier: uid_t
    /// The peer's effective group.
    package let groupIdentifier: gid_t
    /// A pidfd of the peer, owned by the connection and valid while it is open; nil if the kernel does not provide one.
    package let processDescriptor: CInt?

    /// Creates credentials with given values, for peers that are not reached through a socket.
    package init(
        processIdentifier: pid_t, userIdentifier: uid_t, groupIdentifier: gid_t, processDescriptor: CInt? = nil
    ) {
        self.processIdentifier = processIdentifier
        self.userIdentifier = userIdentifier
        self.groupIdentifier = groupIdentifier
        self.processDescriptor = processDescriptor
    }

    /// Reads the credentials from the kernel; the caller closes `processDescriptor`.
    init(socket: CInt) throws(VarlinkError) {
        var peer = cvarlink_peer()
        let result = cvarlink_peer_of(socket, &peer)
        guard result == 0 else {
            throw VarlinkError(systemCall: "read the peer's credentials", errno: -result)
        }
        self.init(
            processIdentifier: peer.process, userIdentifier: peer.user, groupIdentifier: peer.group,
            processDescriptor: peer.process_descriptor >= 0 ? peer.process_descriptor : nil)
    }
}
