import Glibc

/// An error of the transport itself, as opposed to an error reply from the peer.
package struct VarlinkError: Error, Sendable, CustomStringConvertible {
    /// The kinds of errors.
    package enum Code: Sendable, Hashable {
        /// The connection was closed by either side.
        case closed
        /// The deadline of the call passed; the connection is closed.
        case timedOut
        /// A message exceeds the size limit.
        case messageTooLarge
        /// The JSON exceeds the depth limit.
        case tooDeep
        /// The bytes are not a message of the protocol.
        case malformed
        /// A message has a different number of descriptors than its type declares.
        case descriptorMismatch
        /// The task was cancelled.
        case cancelled
        /// The kernel has too many descriptors in flight for this user; try again.
        case unavailable
        /// Another system call failed; see `errno`.
        case systemCall
        /// Any other error.
        case unknown
    }

    /// The kind of error.
    package let code: Code
    /// The message to show to people.
    package let message: String
    /// The system's error number, if a system call failed.
    package let errno: CInt?

    /// Creates an error.
    package init(_ code: Code, _ message: String, errno: CInt? = nil) {
        self.code = code
        self.message = message
        self.errno = errno
    }

    init(systemCall operation: String, errno: CInt) {
        let code: Code =
            switch errno {
            case EPIPE, ECONNRESET, ENOTCONN: .closed
            case ETOOMANYREFS: .unavailable
            default: .systemCall
            }
        self.init(code, "Could not \(operation): \(String(cString: strerror(errno))).", errno: errno)
    }

    /// The message.
    package var description: String { message }

    static var closed: VarlinkError { VarlinkError(.closed, "The connection is closed.") }
}
