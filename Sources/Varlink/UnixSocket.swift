import CVarlinkSocket
package import Glibc

/// Stream sockets of the Unix family, close-on-exec.
package enum UnixSocket {
    /// Two connected sockets, each of which can be taken once.
    package struct Pair: ~Copyable, Sendable {
        /// The first socket, until it is taken.
        package private(set) var first: OwnedDescriptor
        /// The second socket, until it is taken.
        package private(set) var second: OwnedDescriptor

        /// Takes the first socket. Throws `VarlinkError` the second time.
        package mutating func takeFirst() throws -> OwnedDescriptor {
            try Self.take(&first)
        }

        /// Takes the second socket. Throws `VarlinkError` the second time.
        package mutating func takeSecond() throws -> OwnedDescriptor {
            try Self.take(&second)
        }

        private static func take(_ end: inout OwnedDescriptor) throws -> OwnedDescriptor {
            guard end.raw >= 0 else { throw VarlinkError(.closed, "This socket of the pair was already taken.") }
            let taken = end
            end = OwnedDescriptor(-1)
            return taken
        }
    }

    /// Binds a socket to a path and listens. The path must not exist. No one can connect before the mode is set.
    package static func listen(path: String, mode: mode_t) throws -> OwnedDescriptor {
        try OwnedDescriptor(checking: cvarlink_listen(path, mode), "listen at \(path)")
    }

    /// Connects to a listening socket.
    package static func connect(path: String) throws -> OwnedDescriptor {
        try OwnedDescriptor(checking: cvarlink_connect(path), "connect to \(path)")
    }

    /// Creates two sockets that are connected to each other.
    package static func pair() throws -> Pair {
        var first: CInt = -1
        var second: CInt = -1
        let result = cvarlink_pair(&first, &second)
        guard result == 0 else {
            throw VarlinkError(systemCall: "create a pair of sockets", errno: -result)
        }
        return Pair(first: OwnedDescriptor(first), second: OwnedDescriptor(second))
    }
}
