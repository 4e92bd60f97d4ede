import CVarlinkSocket
import Glibc

/// Polls one socket, and sends whole messages on it.
enum SocketPoll {
    /// Waits until the socket is ready or hung up. Throws `timedOut` when the deadline has passed.
    static func wait(_ socket: CInt, for events: CInt, deadline: Deadline?) throws(VarlinkError) {
        var entry = pollfd(fd: socket, events: Int16(truncatingIfNeeded: events), revents: 0)
        while true {
            let result = poll(&entry, 1, deadline?.millisecondsLeft ?? -1)
            if result > 0 { return }
            if result < 0 {
                guard errno == EINTR else { throw VarlinkError(systemCall: "wait for a socket", errno: errno) }
            } else if let deadline, deadline.millisecondsLeft == 0 {
                throw VarlinkError(.timedOut, "The peer did not answer in time.")
            }
        }
    }

    /// Sends as much as fits now, with the descriptors attached to the first byte of the message. Returns 0 if nothing
    /// fits.
    static func sendSome(
        _ bytes: borrowing [UInt8], from offset: Int, descriptors: DescriptorList, to socket: CInt
    ) throws(VarlinkError) -> Int {
        let sent = bytes.withUnsafeBytes { buffer in
            let part = UnsafeRawBufferPointer(rebasing: buffer[offset...])
            guard offset == 0, descriptors.count > 0 else {
                return cvarlink_send(socket, part.baseAddress, part.count, nil, 0, CInt(CVARLINK_DONT_WAIT))
            }
            return descriptors.withRaw { raw in
                cvarlink_send(socket, part.baseAddress, part.count, raw, raw.count, CInt(CVARLINK_DONT_WAIT))
            } ?? -Int(EBADF)
        }
        if sent == -Int(EAGAIN) { return 0 }
        guard sent >= 0 else { throw VarlinkError(systemCall: "send", errno: CInt(-sent)) }
        if offset == 0, descriptors.count > 0 { descriptors.closeAll() }
        return sent
    }

    /// Sends a whole message. The descriptors are closed once they were sent, and kept if nothing was sent.
    static func send(
        _ bytes: borrowing [UInt8], descriptors: DescriptorList, to socket: CInt, deadline: Deadline?
    ) throws(VarlinkError) {
        var offset = 0
        while true {
            offset += try sendSome(bytes, from: offset, descriptors: descriptors, to: socket)
            if offset == bytes.count { return }
            try wait(socket, for: CInt(POLLOUT), deadline: deadline)
        }
    }
}
