import CVarlinkSocket
import FoundationEssentials
import Glibc

/// The state of a connection's thread, which answers one call after another.
struct ServerExchange: ~Copyable {
    private let connection: ServerConnection
    private let socket: CInt
    private let wake: WakeDescriptor
    private let context: ServerContext
    private var reader: MessageReader
    private var lively: LivelyWait
    private var writer: ServerWriter
    private var allowance: MessageAllowance

    init(connection: ServerConnection, socket: CInt, wake: WakeDescriptor, context: ServerContext) {
        self.connection = connection
        self.socket = socket
        self.wake = wake
        self.context = context
        reader = MessageReader(limits: context.limits)
        lively = LivelyWait(spins: context.limits.spins)
        writer = ServerWriter(socket: socket, limits: context.limits)
        allowance = MessageAllowance(shares: context.shares)
    }

    /// Answers calls until the peer has gone. Throws the error for which the server closes the connection.
    mutating func serve() throws(VarlinkError) {
        while let frame = try nextFrame(startsWithin: nil) {
            var pending = Optional(frame)
            while let frame = pending {
                let held: HeldCall?
                do throws(VarlinkError) {
                    defer { reader.wipe(frame) }
                    held = try answer(frame)
                } catch {
                    try? writer.flush()
                    throw error
                }
                try writer.flush()
                pending = nil
                if let held { pending = try hold(held) }
            }
        }
    }

    /// Waits for the next call or the end of the connection, then releases the held call.
    private mutating func hold(_ held: HeldCall) throws(VarlinkError) -> MessageReader.Frame? {
        let frame: MessageReader.Frame?
        do throws(VarlinkError) {
            frame = try nextFrame(startsWithin: nil)
        } catch {
            held.released()
            throw error
        }
        held.released()
        guard let frame else { throw .closed }
        // The next call often only ends the hold, and its reply is ready at once.
        try writer.put(held.last)
        return frame
    }

    /// Answers the first call with an error. If no call arrives in time, sends the error anyway.
    mutating func refuse(with error: any Error, patience: Duration) {
        if patience > .zero, let frame = try? nextFrame(startsWithin: Deadline(after: patience)),
            let head = try? head(frame)
        {
            reader.discard(for: frame)
            if head.isOneway { return }
        }
        try? writer.sendAll(context.reply(for: error))
    }

    /// The next message; nil at the end of the stream, where an incomplete message is ignored.
    private mutating func nextFrame(startsWithin start: Deadline?) throws(VarlinkError) -> MessageReader.Frame? {
        var deadline = start
        while true {
            if let frame = try reader.nextFrame() {
                allowance.complete()
                return frame
            }
            if deadline == nil, reader.hasBytes { deadline = Deadline(after: context.limits.incompleteTimeout) }
            do throws(ServerShares.Exhaustion) {
                try allowance.hold(
                    messages: reader.hasBytes ? 1 : 0, bytes: reader.largeBufferBytes,
                    descriptors: reader.queuedCount, holder: connection.holder)
            } catch {
                try writer.sendAll(context.reply(for: context.error(for: error)))
                throw VarlinkError(.unavailable, "The peer has used up its share: \(error.resource).")
            }
            guard try lively.receive(into: &reader, from: socket, deadline: deadline) else { return nil }
        }
    }

    private struct Head {
        let method: String
        let parameters: Data
        let isOneway: Bool
        let wantsMore: Bool
        let wantsUpgrade: Bool
    }

    private func head(_ frame: MessageReader.Frame) throws(VarlinkError) -> Head {
        let limit = context.limits.depth
        return try reader.withBytes(frame) { bytes throws(VarlinkError) in
            let envelope = try EnvelopeScanner.scan(bytes, depthLimit: limit)
            guard let method = envelope.method else {
                throw VarlinkError(.malformed, "The peer sent a message without a method.")
            }
            return Head(
                method: method, parameters: envelope.parameters.map { Data(bytes[$0]) } ?? Data("{}".utf8),
                isOneway: envelope.isOneway, wantsMore: envelope.wantsMore, wantsUpgrade: envelope.wantsUpgrade)
        }
    }

    /// Answers a call.
    ///
    /// - Returns: the held call, if any; its first reply was sent.
    private mutating func answer(_ frame: MessageReader.Frame) throws(VarlinkError) -> HeldCall? {
        let head = try head(frame)
        guard let (authority, handler) = context.handlers[head.method] else {
            try refuse(frame, head, context.notFound(head.method))
            return nil
        }
        if head.wantsUpgrade {
            try refuse(frame, head, .methodNotImplemented(head.method))
            return nil
        }
        if head.isOneway, handler.changesState {
            reader.discard(for: frame)
            context.observer?.onewayRefused(connection.identifier, method: head.method)
            return nil
        }
        do {
            try context.observer?.callArrived(
                connection.identifier, method: head.method, authority: authority)
        } catch {
            try refuse(frame, head, context.callError(for: error))
            return nil
        }
        let call = CallHead(
            method: head.method, parameters: head.parameters, peer: connection.peer,
            connection: connection.identifier, wantsMore: head.wantsMore, isOneway: head.isOneway)
        switch handler {
        case .immediate(_, let body):
            let limits = context.limits
            guard let reply = try attempt(frame, { claim in try body(call, claim).checked(limits) }),
                !head.isOneway
            else { return nil }
            try writer.sendAll(reply)
            return nil
        case .task(_, let needsMore, let prepare):
            if needsMore, !head.wantsMore {
                try refuse(frame, head, .expectedMore)
                return nil
            }
            return try answer(frame, call, prepare)
        }
    }

    private mutating func answer(
        _ frame: MessageReader.Frame, _ call: CallHead,
        _ prepare: @escaping @Sendable (CallHead, MethodHandler.Claim, CallOutput) throws -> MethodHandler.Answer
    ) throws(VarlinkError) -> HeldCall? {
        try writer.flush()
        let output = CallOutput(limits: context.limits, wake: wake)
        let limits = context.limits
        var work: MethodHandler.Work?
        var held: HeldCall?
        let reply = try attempt(frame) { claim in
            switch try prepare(call, claim, output) {
            case .reply(let reply): return try reply.checked(limits)
            case .held(let granted): held = try granted.checked(limits)
            case .work(let rest): work = rest
            }
            return nil
        }
        if let held {
            do throws(VarlinkError) {
                try writer.sendAll(held.first)
            } catch {
                held.released()
                throw error
            }
            return held
        }
        if let work {
            let ended: @Sendable () -> Void
            do {
                ended = try context.callWaits(connection.identifier, method: call.method)
            } catch {
                if !call.isOneway { try writer.sendAll(context.reply(for: error)) }
                return nil
            }
            return try run(work, output: output, isOneway: call.isOneway, ended: ended)
        }
        if let reply, !call.isOneway { try writer.sendAll(reply) }
        return nil
    }

    /// Answers a call with an error and closes its descriptors.
    private mutating func refuse(
        _ frame: MessageReader.Frame, _ head: Head, _ error: VarlinkCallError
    ) throws(VarlinkError) {
        reader.discard(for: frame)
        if !head.isOneway { try writer.sendAll(EncodedReply(error)) }
    }

    /// Runs a step that may take the call's descriptors. Its error becomes the reply, unless the peer violated the
    /// protocol.
    private mutating func attempt(
        _ frame: MessageReader.Frame, _ step: (MethodHandler.Claim) throws -> EncodedReply?
    ) throws(VarlinkError) -> EncodedReply? {
        var violation: VarlinkError?
        var hasClaimed = false
        let reply: EncodedReply?
        do {
            reply = try step { count throws(VarlinkError) in
                hasClaimed = true
                do throws(VarlinkError) {
                    return try reader.claim(count, for: frame)
                } catch {
                    violation = error
                    throw error
                }
            }
        } catch {
            reply = context.reply(for: error)
        }
        if let violation { throw violation }
        if !hasClaimed { reader.discard(for: frame) }
        return reply
    }

    /// Runs a task and sends its replies, until it has finished or the peer hangs up.
    private mutating func run(
        _ work: @escaping MethodHandler.Work, output: CallOutput, isOneway: Bool, ended: @escaping @Sendable () -> Void
    ) throws(VarlinkError) -> HeldCall? {
        let context = context
        let connection = connection
        let holder = connection.holder
        let task = Task {
            // Called before the reply is sent: once the peer has the reply, it may call again.
            do {
                switch try await ShareHolder.$current.withValue(holder, operation: work) {
                case .reply(let made):
                    let reply = try made.checked(context.limits)
                    ended()
                    output.finish(isOneway ? nil : reply)
                case .held(let made):
                    let held = try made.checked(context.limits)
                    ended()
                    output.finish(held)
                }
            } catch {
                ended()
                output.finish(isOneway ? nil : context.reply(for: error))
            }
            withExtendedLifetime(connection) {}
        }
        defer { output.close() }
        do {
            try relay(output, watchesPeer: !isOneway)
        } catch {
            task.cancel()
            throw error
        }
        return output.takeHeld()
    }

    private mutating func relay(_ output: CallOutput, watchesPeer: Bool) throws(VarlinkError) {
        while true {
            var patience: CInt = -1
            var events = CInt(CVARLINK_POLL_HANGUP)
            switch output.step() {
            case .done: return
            case .wait: break
            case .send(let reply):
                switch try writer.sendSome(reply) {
                case .sent:
                    output.removeFirst()
                    continue
                case .blocked(let milliseconds): patience = milliseconds
                case .full(let milliseconds):
                    patience = milliseconds
                    events |= CInt(POLLOUT)
                }
            }
            var entries = [
                pollfd(fd: watchesPeer ? socket : -1, events: Int16(events), revents: 0),
                pollfd(fd: wake.raw, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&entries, 2, patience) >= 0 || errno == EINTR else {
                throw VarlinkError(systemCall: "wait for a socket", errno: errno)
            }
            if entries[1].revents != 0 { wake.clear() }
            if connection.wasInterrupted
                || CInt(entries[0].revents) & (CInt(CVARLINK_POLL_HANGUP) | POLLHUP | POLLERR) != 0
            {
                throw .closed
            }
        }
    }
}
