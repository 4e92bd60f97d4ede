import CVarlinkSocket
import Glibc
import Synchronization

/// The blocking side of a client's connection: who uses the socket, what was read, and whether it is closed.
///
/// Only the owner of the turn exchanges messages; any thread may close.
final class ClientChannel: Sendable {
    private struct Incoming: ~Copyable {
        var reader = MessageReader(limits: ServerLimits())
        var lively = LivelyWait(spins: true)
        /// The number of last replies to skip, whose callers no longer wait for them.
        var owed = 0
    }

    /// A complete reply: its bytes without the NUL, and its descriptors.
    struct Received {
        let bytes: [UInt8]
        let descriptors: DescriptorList
    }

    static let limits = ServerLimits()

    private struct Life: ~Copyable {
        var link: SocketLink
        var isBusy = false
    }

    private let turn = Turn()
    private let life: Mutex<Life>
    private let incoming = Mutex(Incoming())

    init(_ descriptor: consuming OwnedDescriptor) {
        life = Mutex(Life(link: SocketLink(descriptor)))
    }

    var isClosed: Bool {
        life.withLock { $0.link.isShutDown }
    }

    /// Whether it was closed, here or by the peer.
    var isAbandoned: Bool {
        life.withLock { life in
            guard !life.link.isShutDown, life.link.raw >= 0 else { return true }
            var entry = pollfd(fd: life.link.raw, events: 0, revents: 0)
            return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLHUP | POLLERR) != 0
        }
    }

    /// Closes the connection from any thread. A waiting call fails with `closed`.
    func close() {
        life.withLock { life in
            life.link.shutdown()
            if !life.isBusy { life.link.close() }
        }
    }

    /// Waits for the turn and marks the socket as in use. Throws `timedOut` or `closed`.
    func begin(deadline: Deadline?) throws(VarlinkError) -> CInt {
        guard turn.take(until: deadline) else {
            throw VarlinkError(.timedOut, "Another call did not end in time.")
        }
        let socket = life.withLock { life -> CInt? in
            guard !life.link.isShutDown else { return nil }
            life.isBusy = true
            return life.link.raw
        }
        guard let socket else {
            turn.give()
            throw .closed
        }
        return socket
    }

    /// Returns the turn. After a failure the connection is closed, because the next bytes would be unpredictable.
    func end(isUsable: Bool) {
        life.withLock { life in
            life.isBusy = false
            if !isUsable || life.link.isShutDown { life.link.close() }
        }
        turn.give()
    }

    /// Sends a message that ends with a NUL. Call it with the turn.
    func send(
        _ message: borrowing [UInt8], descriptors: DescriptorList, socket: CInt, deadline: Deadline?
    ) throws(VarlinkError) {
        try SocketPoll.send(message, descriptors: descriptors, to: socket, deadline: deadline)
    }

    /// Receives one message. `body` reads it and returns the number of its descriptors. Call it with the turn.
    func receive<Result: Sendable>(
        socket: CInt, deadline: Deadline?,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> (value: Result, descriptorCount: Int)
    ) throws -> (Result, DescriptorList) {
        try incoming.withLock { incoming in
            let frame = try Self.nextFrame(&incoming, socket: socket, deadline: deadline)
            defer { incoming.reader.wipe(frame) }
            let (value, count) = try incoming.reader.withBytes(frame) { bytes throws(any Error) in try body(bytes) }
            return (value, try incoming.reader.claim(count, for: frame))
        }
    }

    /// Receives the only message that may arrive, with its descriptors. Call it with the turn.
    func receiveOnly(socket: CInt, deadline: Deadline?) throws(VarlinkError) -> Received {
        try incoming.withLock { incoming throws(VarlinkError) in
            let frame = try Self.nextFrame(&incoming, socket: socket, deadline: deadline)
            guard !incoming.reader.hasBytes else {
                throw VarlinkError(.malformed, "The peer sent more than one reply to a call.")
            }
            let bytes = incoming.reader.withBytes(frame) { Array($0) }
            return Received(
                bytes: bytes,
                descriptors: try incoming.reader.claim(incoming.reader.count(for: frame), for: frame))
        }
    }

    /// Skips that many last replies, whose callers no longer wait for them, before the reply to the next call. Call it
    /// with the turn.
    func owes(_ count: Int) {
        incoming.withLock { $0.owed += count }
    }

    /// Whether a reply arrived without a call.
    var hasSurplus: Bool {
        incoming.withLock { $0.reader.hasBytes }
    }

    private static func nextFrame(
        _ incoming: inout Incoming, socket: CInt, deadline: Deadline?
    ) throws(VarlinkError) -> MessageReader.Frame {
        while true {
            if let frame = try incoming.reader.nextFrame() {
                if incoming.owed == 0 { return frame }
                incoming.owed -= 1
                incoming.reader.discard(for: frame)
                continue
            }
            guard try incoming.lively.receive(into: &incoming.reader, from: socket, deadline: deadline) else {
                throw .closed
            }
        }
    }
}
