import Dispatch
import Synchronization

/// The replies to a `more` call, each received when it is asked for.
///
/// It can be iterated once: a second iterator throws. The last reply is also an element; an error reply is thrown.
package struct VarlinkReplies<Value: VarlinkMessage>: AsyncSequence, Sendable {
    /// The type of the elements.
    package typealias Element = Reply<Value>

    private let receiver: ReplyReceiver<Value>

    init(
        connection: VarlinkConnection, channel: ClientChannel, descriptors: DescriptorList, isSecret: Bool,
        message: @escaping @Sendable () throws -> [UInt8]
    ) {
        receiver = ReplyReceiver(
            connection: connection, channel: channel, descriptors: descriptors, isSecret: isSecret, message: message)
    }

    /// Starts the iteration. The call is sent by the first `next()`.
    package func makeAsyncIterator() -> Iterator {
        Iterator(receiver: receiver.hasIterator.exchange(true, ordering: .relaxed) ? nil : receiver)
    }

    /// Receives replies. Releasing the last copy before the end closes the connection.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let receiver: ReplyReceiver<Value>?

        /// The next reply; nil after the last. Throws `VarlinkCallError` for an error reply, otherwise `VarlinkError`.
        package mutating func next() async throws -> Reply<Value>? {
            guard let receiver else {
                throw VarlinkError(.closed, "These replies are already being iterated.")
            }
            return try await receiver.next()
        }
    }
}

private final class ReplyReceiver<Value: VarlinkMessage>: Sendable {
    private enum Phase {
        case idle
        case open(CInt)
        case ended
    }

    let hasIterator = Atomic(false)

    private let connection: VarlinkConnection
    private let channel: ClientChannel
    // Separate from the connection's queue: a call that waits for its turn there must not keep the stream from ending.
    private let queue = DispatchQueue(label: "org.docent.varlink.replies")
    private let descriptors: DescriptorList
    /// Whether the call is overwritten after it was sent.
    private let isSecret: Bool
    private let message: @Sendable () throws -> [UInt8]
    private let phase = Mutex(Phase.idle)

    init(
        connection: VarlinkConnection, channel: ClientChannel, descriptors: DescriptorList, isSecret: Bool,
        message: @escaping @Sendable () throws -> [UInt8]
    ) {
        self.connection = connection
        self.channel = channel
        self.descriptors = descriptors
        self.isSecret = isSecret
        self.message = message
    }

    deinit {
        if case .open = phase.withLock({ $0 }) { channel.end(isUsable: false) }
    }

    func next() async throws -> Reply<Value>? {
        if case .ended = phase.withLock({ $0 }) { return nil }
        do {
            return try await QueuedWork(queue: queue, channel: channel).run { [self] in try receive() }
        } catch let error as VarlinkError where error.code == .cancelled {
            // Between two replies nothing was running that would have closed the connection. The call is still open
            // there, so no other may use it, from now on and not only once the iterator is released.
            end(isUsable: false)
            throw error
        }
    }

    /// Runs on the replies' queue.
    private func receive() throws -> Reply<Value>? {
        guard let socket = try open() else { return nil }
        do {
            let (answer, received) = try channel.receive(socket: socket, deadline: nil) { bytes in
                let answer = try ClientMessage.answer(Value.self, bytes)
                return (answer, answer.descriptorCount)
            }
            switch answer {
            case .value(let value, let continues):
                if !continues { end(isUsable: !channel.hasSurplus) }
                return Reply(value, descriptors: received)
            case .error(let error):
                end(isUsable: !channel.hasSurplus)
                throw error
            }
        } catch {
            end(isUsable: false)
            throw error
        }
    }

    /// The socket, after sending the call the first time; nil after the end.
    private func open() throws -> CInt? {
        switch phase.withLock({ $0 }) {
        case .ended: return nil
        case .open(let socket): return socket
        case .idle: break
        }
        let message = try message()
        defer { if isSecret { Wiping.wipe(message) } }
        let socket = try channel.begin(deadline: nil)
        phase.withLock { $0 = .open(socket) }
        do {
            try channel.send(message, descriptors: descriptors, socket: socket, deadline: nil)
        } catch {
            end(isUsable: error.code == .unavailable)
            throw error
        }
        return socket
    }

    private func end(isUsable: Bool) {
        let wasOpen = phase.withLock { phase in
            defer { phase = .ended }
            if case .open = phase { return true }
            return false
        }
        if wasOpen { channel.end(isUsable: isUsable) }
    }
}
