import CVarlinkSocket
import Glibc
import Synchronization

/// Answers varlink calls on any number of sockets, with one thread per connection. Thread-safe.
package final class VarlinkServer: Sendable {
    private struct State {
        var isShutDown = false
        var connections: [ConnectionIdentifier: ServerConnection] = [:]
        var listeners: [String: ServerListener] = [:]
    }

    private let context: ServerContext
    private let state = Mutex(State())

    /// Creates a server that does not listen yet.
    ///
    /// `errorMapper` converts errors of handlers into error replies, except those that are already a
    /// `VarlinkCallError`.
    package init(
        information: ServiceInformation, interfaces: [MethodTable], observer: (any ConnectionObserver)?,
        limits: ServerLimits = ServerLimits(), errorMapper: @escaping @Sendable (any Error) -> VarlinkCallError
    ) {
        context = ServerContext(
            information: information, interfaces: interfaces, observer: observer, limits: limits,
            errorMapper: errorMapper)
    }

    deinit {
        // The last reference may be released on a listener's own thread, so do not wait.
        state.withLock { state in
            for listener in state.listeners.values { listener.requestStop() }
            for connection in state.connections.values { connection.interrupt() }
        }
    }

    /// Accepts the connections of a listening socket on a separate thread until `stopListening`.
    package func listen(on descriptor: consuming OwnedDescriptor, label: String) throws {
        let listener = try ServerListener(
            descriptor, label: label, refusalTimeout: context.limits.refusalTimeout)
        let previous = state.withLock { state -> ServerListener? in
            defer { state.listeners[label] = listener }
            return state.listeners[label]
        }
        previous?.stop()
        do {
            try listener.start { [weak self] connection in
                guard let self else { return nil }
                return accept(connection, label: label)
            }
        } catch {
            state.withLock { state in
                if state.listeners[label] === listener { state.listeners[label] = nil }
            }
            throw error
        }
    }

    /// Serves a connected socket on a separate thread. If its peer or the server has too many connections, closes the
    /// socket and throws.
    package func serve(_ connection: consuming OwnedDescriptor, label: String) throws {
        let peer: AdmittedPeer
        do {
            peer = try admit(connection.raw, label: label)
        } catch is ServerShares.Exhaustion {
            throw VarlinkError(.closed, "There are too many connections.")
        }
        try start(peer, connection, label: label)
    }

    /// Serves a listener's connection. When the connection is refused, sends the reason and returns the connection.
    private func accept(_ connection: consuming OwnedDescriptor, label: String) -> OwnedDescriptor? {
        let peer: AdmittedPeer
        do {
            peer = try admit(connection.raw, label: label)
        } catch {
            let reason = (error as? ServerShares.Exhaustion).map { context.error(for: $0) } ?? error
            // The socket is new and has room. A peer that does not read the reply loses nothing.
            let reply = context.reply(for: reason)
            _ = try? SocketPoll.sendSome(reply.bytes, from: 0, descriptors: reply.descriptors, to: connection.raw)
            // The reserve is not for waiting connections.
            if context.observer?.isInReserve(descriptor: connection.raw) == true { return nil }
            return connection
        }
        try? start(peer, connection, label: label)
        return nil
    }

    private struct AdmittedPeer {
        var credentials: PeerCredentials
        var holder: ShareHolder
    }

    // Takes a connection from the peer's share before anything is created for it.
    private func admit(_ socket: CInt, label: String) throws -> AdmittedPeer {
        let peer = try PeerCredentials(socket: socket)
        let holder = context.observer?.holder(of: peer, listener: label) ?? ShareHolder(.unconfined, process: peer)
        do throws(PrincipalShares.Refusal) {
            let connections = context.shares[.connections]
            if holder.kind != .unconfined, context.observer?.isInReserve(descriptor: socket) == true {
                throw PrincipalShares.Refusal.reserved
            }
            try connections.take(for: holder)
        } catch {
            if let raw = peer.processDescriptor { close(raw) }
            throw ServerShares.Exhaustion(resource: .connections, refusal: error, holder: holder)
        }
        return AdmittedPeer(credentials: peer, holder: holder)
    }

    private func start(_ peer: AdmittedPeer, _ connection: consuming OwnedDescriptor, label: String) throws {
        let wake: WakeDescriptor
        do {
            wake = try WakeDescriptor()
        } catch {
            if let raw = peer.credentials.processDescriptor { close(raw) }
            context.shares[.connections].give(of: peer.holder)
            throw error
        }
        let served = ServerConnection(
            connection, peer: peer.credentials, holder: peer.holder, label: label, wake: wake, context: context)
        let isServed = state.withLock { state in
            guard !state.isShutDown else { return false }
            state.connections[served.identifier] = served
            return true
        }
        guard isServed else {
            context.shares[.connections].give(of: peer.holder)
            throw VarlinkError(.closed, "The server was shut down.")
        }
        do {
            try DetachedThread.start(name: "varlink") { [weak self] in
                served.run()
                self?.remove(served)
            }
        } catch {
            remove(served)
            throw error
        }
    }

    /// Stops accepting, after accepting every connection made before. Waits for the listener's thread.
    package func stopListening(label: String) {
        state.withLock { $0.listeners.removeValue(forKey: label) }?.stop()
    }

    /// Stops listening and closes all connections, cancelling their handlers. Does not wait for the handlers.
    package func shutdown() {
        let (listeners, connections) = state.withLock { state in
            defer { state.listeners.removeAll() }
            state.isShutDown = true
            return (Array(state.listeners.values), Array(state.connections.values))
        }
        for listener in listeners { listener.stop() }
        for connection in connections { connection.interrupt() }
    }

    /// The number of open connections.
    package var connectionCount: Int {
        state.withLock { $0.connections.count }
    }

    /// Closes a connection and cancels its handler. Does nothing if it is already closed.
    package func interrupt(connection: ConnectionIdentifier) {
        state.withLock { $0.connections[connection] }?.interrupt()
    }

    /// The amount of a resource that a holder has.
    package func amount(of resource: SharedResource, _ holder: ShareHolder) -> Int {
        context.shares[resource].amount(of: holder)
    }

    private func remove(_ connection: ServerConnection) {
        let isRemoved = state.withLock { $0.connections.removeValue(forKey: connection.identifier) != nil }
        if isRemoved { context.shares[.connections].give(of: connection.holder) }
    }
}
