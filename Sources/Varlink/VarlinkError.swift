import Glibc

/// Trouble with the transport itself, as opposed to an error that the peer replied.
package struct VarlinkError: Error, Sendable, CustomStringConvertible {
    /// What kind of trouble.
    package enum Code: Sendable, Hashable {
        /// The connection is closed, by either side.
        case closed
        /// The deadline of the call passed; the connection is closed.
        case timedOut
        /// A message above the limit of bytes (T4).
        case messageTooLarge
        /// JSON nested above the limit of depth (T4).
        case tooDeep
        /// Not a message of the protocol.
        case malformed
        /// A message with another number of descriptors than its type declares (T1).
        case descriptorMismatch
        /// The task was cancelled (T3).
        case cancelled
        /// The kernel has too many descriptors in flight for this user; try again (T4).
        case unavailable
        /// Another system call failed; see `errno`.
        case systemCall
        /// Nothing of the above.
        case unknown
    }

    /// What kind of trouble.
    package let code: Code
    /// A sentence for people.
    package let message: String
    /// The system's error number, if a system call failed.
    package let errno: CInt?

    /// An error with a code and a sentence.
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

    /// The sentence.
    package var description: String { message }

    static var closed: VarlinkError { VarlinkError(.closed, "The connection is closed.") }
}
