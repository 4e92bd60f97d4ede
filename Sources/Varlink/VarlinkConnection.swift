import Dispatch
import Synchronization

/// A client's connection. Thread-safe; calls take turns.
///
/// After a transport error, an expired deadline or a cancelled call the connection is closed, and a new one is needed.
package final class VarlinkConnection: Sendable {
    let channel: ClientChannel
    private let queue = DispatchQueue(label: "org.docent.varlink.connection")

    /// Takes a connected stream socket.
    package init(descriptor: consuming OwnedDescriptor) {
        channel = ClientChannel(descriptor)
    }

    deinit {
        channel.close()
    }

    /// Connects to a listening socket. Throws `VarlinkError` with the system's error number.
    package static func connect(path: String) throws -> VarlinkConnection {
        VarlinkConnection(descriptor: try UnixSocket.connect(path: path))
    }

    /// Closes the connection from any thread. A waiting call fails with `closed`.
    package func close() {
        channel.close()
    }

    /// Whether no further call can succeed.
    package var isClosed: Bool { channel.isClosed }

    /// Whether the connection was closed, here or by the peer.
    package var isAbandoned: Bool { channel.isAbandoned }

    /// Calls and blocks this thread until the reply, the deadline (nil for none) or the end of the connection.
    ///
    /// Throws `VarlinkCallError` for an error reply, and `VarlinkError` for the transport. `descriptors` are closed
    /// once sent, and kept if nothing was sent, so that the call can be repeated on another connection.
    package func callBlocking<P: VarlinkMessage, R: VarlinkMessage>(
        _ method: String, _ parameters: P, descriptors: DescriptorList = DescriptorList(), deadline: Duration? = nil
    ) throws -> Reply<R> {
        let message = try ClientMessage.call(method, parameters, descriptors: descriptors, kind: .plain)
        defer { if P.hasSecrets { Wiping.wipe(message) } }
        return try callBlocking(message, descriptors: descriptors, deadline: deadline.map(Deadline.init(after:)))
    }

    /// Sends a complete JSON message (without a NUL) and returns the whole reply undecoded, with all descriptors that
    /// came with it. Throws `VarlinkError`.
    package func callRawBlocking(
        _ message: [UInt8], descriptors: DescriptorList = DescriptorList(), deadline: Duration? = nil
    ) throws -> (reply: [UInt8], DescriptorList) {
        guard !message.contains(0) else {
            throw VarlinkError(.malformed, "A message must not contain a NUL.")
        }
        var terminated = message
        terminated.append(0)
        try ClientMessage.check(terminated, descriptors)
        let deadline = deadline.map(Deadline.init(after:))
        return try exchange(deadline) { socket in
            try channel.send(terminated, descriptors: descriptors, socket: socket, deadline: deadline)
            let received = try channel.receiveOnly(socket: socket, deadline: deadline)
            return (received.bytes, received.descriptors)
        }
    }

    /// Calls from a task, on the connection's own queue. Cancelling the task while the call runs closes the connection;
    /// the call then throws `VarlinkError` with the code `cancelled`. Otherwise like `callBlocking`.
    package func call<P: VarlinkMessage, R: VarlinkMessage>(
        _ method: String, _ parameters: P, descriptors: DescriptorList = DescriptorList(), deadline: Duration? = nil
    ) async throws -> Reply<R> {
        let message = try ClientMessage.call(method, parameters, descriptors: descriptors, kind: .plain)
        defer { if P.hasSecrets { Wiping.wipe(message) } }
        let deadline = deadline.map(Deadline.init(after:))
        return try await QueuedWork(queue: queue, channel: channel).run { [self] in
            try callBlocking(message, descriptors: descriptors, deadline: deadline)
        }
    }

    /// Calls with `more`. Nothing is sent before the first `next()`. Each `next()` receives one reply, so a slow reader
    /// slows down the service. The stream has exclusive use of the connection until it ends; cancelling the task or
    /// releasing the iterator before that closes the connection.
    package func stream<P: VarlinkMessage, R: VarlinkMessage>(
        _ method: String, _ parameters: P, _: R.Type, descriptors: DescriptorList = DescriptorList()
    ) -> VarlinkReplies<R> {
        VarlinkReplies(
            connection: self, channel: channel, descriptors: descriptors, isSecret: P.hasSecrets
        ) {
            try ClientMessage.call(method, parameters, descriptors: descriptors, kind: .more)
        }
    }

    private func callBlocking<R: VarlinkMessage>(
        _ message: [UInt8], descriptors: DescriptorList, deadline: Deadline?
    ) throws -> Reply<R> {
        let (answer, received) = try exchange(deadline) { socket in
            try channel.send(message, descriptors: descriptors, socket: socket, deadline: deadline)
            let received = try channel.receive(socket: socket, deadline: deadline) { bytes in
                let answer = try ClientMessage.answer(R.self, bytes)
                return (answer, answer.descriptorCount)
            }
            guard !channel.hasSurplus else {
                throw VarlinkError(.malformed, "The peer sent more than one reply to a call.")
            }
            return received
        }
        switch answer {
        case .value(let value, false): return Reply(value, descriptors: received)
        case .value(_, true):
            channel.close()
            throw VarlinkError(.malformed, "The peer announced more replies than the call asked for.")
        case .error(let error): throw error
        }
    }

    private func exchange<Result>(_ deadline: Deadline?, _ body: (CInt) throws -> Result) throws -> Result {
        let socket = try channel.begin(deadline: deadline)
        do {
            let result = try body(socket)
            channel.end(isUsable: true)
            return result
        } catch {
            // If the kernel refused the descriptors, nothing was sent and the connection is still usable.
            let isUsable = (error as? VarlinkError)?.code == .unavailable
            channel.end(isUsable: isUsable)
            throw error
        }
    }
}
