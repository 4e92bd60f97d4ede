import CVarlinkSocket
import Glibc

/// Sends replies to one peer, and gives up on a peer that does not read. Used only by the connection's thread.
struct ServerWriter {
    /// How far a reply was sent.
    enum Progress {
        case sent
        /// The socket is full: poll for output, for at most this many milliseconds.
        case full(CInt)
        /// The peer has too many unread descriptors: try again in this many milliseconds.
        case blocked(CInt)
    }

    private static let retryMilliseconds: CInt = 2

    private let socket: CInt
    private let limits: ServerLimits
    private var offset = 0
    private var deadline: Deadline?
    private var unreadDescriptors = 0
    /// A reply that is sent together with the next one.
    private var waiting: EncodedReply?

    init(socket: CInt, limits: ServerLimits) {
        self.socket = socket
        self.limits = limits
    }

    /// Keeps a reply without descriptors until the next ``sendAll(_:)`` or ``flush()``, so that its reader is woken
    /// only once.
    mutating func put(_ reply: EncodedReply) throws(VarlinkError) {
        try flush()
        waiting = reply
    }

    /// Sends the kept reply.
    mutating func flush() throws(VarlinkError) {
        if let first = waiting.take() { try sendWhole(first) }
    }

    /// Sends a whole reply. Throws `timedOut` if the peer does not take it within the limit.
    mutating func sendAll(_ reply: EncodedReply) throws(VarlinkError) {
        // Descriptors are attached to the first byte of their own message.
        if reply.descriptorCount > 0 { try flush() }
        try sendWhole(waiting.take()?.followed(by: reply) ?? reply)
    }

    private mutating func sendWhole(_ reply: EncodedReply) throws(VarlinkError) {
        while true {
            var entry = pollfd(fd: socket, events: Int16(CVARLINK_POLL_HANGUP), revents: 0)
            let patience: CInt
            switch try sendSome(reply) {
            case .sent: return
            case .full(let milliseconds):
                entry.events |= Int16(POLLOUT)
                patience = milliseconds
            case .blocked(let milliseconds): patience = milliseconds
            }
            guard poll(&entry, 1, patience) >= 0 || errno == EINTR else {
                throw VarlinkError(systemCall: "wait for a socket", errno: errno)
            }
            if CInt(entry.revents) & (POLLHUP | POLLERR) != 0 { throw .closed }
        }
    }

    /// Continues with the same reply until this returns `sent`. No reply may be kept meanwhile.
    mutating func sendSome(_ reply: EncodedReply) throws(VarlinkError) -> Progress {
        if offset == 0, reply.descriptorCount > 0, holdsBack(reply.descriptorCount) {
            return .blocked(min(Self.retryMilliseconds, try millisecondsLeft()))
        }
        while offset < reply.bytes.count {
            let sent: Int
            do throws(VarlinkError) {
                sent = try SocketPoll.sendSome(
                    reply.bytes, from: offset, descriptors: reply.descriptors, to: socket)
            } catch  where error.code == .unavailable {
                // Too many descriptors of this user are in flight; other processes must read first.
                return .blocked(min(Self.retryMilliseconds, try millisecondsLeft()))
            }
            if sent == 0 { return .full(try millisecondsLeft()) }
            offset += sent
        }
        unreadDescriptors += reply.descriptorCount
        if reply.isSecret { Wiping.wipe(reply.bytes) }
        offset = 0
        deadline = nil
        return .sent
    }

    /// Whether the peer has too many unread descriptors to send more.
    private mutating func holdsBack(_ count: Int) -> Bool {
        guard unreadDescriptors > 0, unreadDescriptors + count > limits.outputDescriptors else { return false }
        if cvarlink_unreceived(socket) == 0 { unreadDescriptors = 0 }
        return unreadDescriptors > 0
    }

    private mutating func millisecondsLeft() throws(VarlinkError) -> CInt {
        let deadline = deadline ?? Deadline(after: limits.unreadTimeout)
        self.deadline = deadline
        let left = deadline.millisecondsLeft
        guard left > 0 else {
            throw VarlinkError(.timedOut, "The peer did not read a reply in time.")
        }
        return left
    }
}
