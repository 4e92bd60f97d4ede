import CVarlinkSocket
import Glibc
import Synchronization

/// Answers varlink calls on any number of sockets, with one thread a connection. Safe to use from any thread.
package final class VarlinkServer: Sendable {
    private struct State {
        var isShutDown = false
        var connections: [ConnectionIdentifier: ServerConnection] = [:]
        var listeners: [String: ServerListener] = [:]
    }

    private let context: ServerContext
    private let state = Mutex(State())

    /// A server that listens nowhere yet.
    ///
    /// `errorMapper` makes an error reply of what handlers throw, unless it is a `VarlinkCallError` already.
    package init(
        information: ServiceInformation, interfaces: [MethodTable], observer: (any ConnectionObserver)?,
        limits: ServerLimits = ServerLimits(), errorMapper: @escaping @Sendable (any Error) -> VarlinkCallError
    ) {
        context = ServerContext(
            information: information, interfaces: interfaces, observer: observer, limits: limits,
            errorMapper: errorMapper)
    }

    deinit {
        // The last reference may be dropped on a listener's own thread, so nothing is waited for.
        state.withLock { state in
            for listener in state.listeners.values { listener.requestStop() }
            for connection in state.connections.values { connection.interrupt() }
        }
    }

    /// Accepts connections of a listening socket on a thread of its own until `stopListening`.
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

    /// Serves a socket that is connected already, on a thread of its own. Throws, closing the socket, if its peer has
    /// too many connections or there are too many (T4).
    package func serve(_ connection: consuming OwnedDescriptor, label: String) throws {
        let peer: AdmittedPeer
        do {
            peer = try admit(connection.raw, label: label)
        } catch is ServerShares.Exhaustion {
            throw VarlinkError(.closed, "There are too many connections.")
        }
        try start(peer, connection, label: label)
    }

    /// Serves a connection of a listener; gives it back when it is refused, its peer having been sent the reason.
    private func accept(_ connection: consuming OwnedDescriptor, label: String) -> OwnedDescriptor? {
        let peer: AdmittedPeer
        do {
            peer = try admit(connection.raw, label: label)
        } catch {
            let reason = (error as? ServerShares.Exhaustion).map { context.error(for: $0) } ?? error
            // The socket is new and has room; who does not read this is none the worse.
            let reply = context.reply(for: reason)
            _ = try? SocketPoll.sendSome(reply.bytes, from: 0, descriptors: reply.descriptors, to: connection.raw)
            // What is kept in reserve is not for waiting in.
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

    // Takes one connection of the peer's share before anything is made for it.
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
            throw VarlinkError(.closed, "The server has been shut down.")
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

    /// Stops accepting, after what had connected before was accepted (D2). Waits for the listener's thread.
    package func stopListening(label: String) {
        state.withLock { $0.listeners.removeValue(forKey: label) }?.stop()
    }

    /// Stops listening and closes all connections; their handlers are cancelled. Does not wait for them.
    package func shutdown() {
        let (listeners, connections) = state.withLock { state in
            defer { state.listeners.removeAll() }
            state.isShutDown = true
            return (Array(state.listeners.values), Array(state.connections.values))
        }
        for listener in listeners { listener.stop() }
        for connection in connections { connection.interrupt() }
    }

    /// How many connections are open.
    package var connectionCount: Int {
        state.withLock { $0.connections.count }
    }

    /// Closes a connection; its handler is cancelled. Nothing happens if it is closed already.
    package func interrupt(connection: ConnectionIdentifier) {
        state.withLock { $0.connections[connection] }?.interrupt()
    }

    /// What one who shares has of something.
    package func amount(of resource: SharedResource, _ holder: ShareHolder) -> Int {
        context.shares[resource].amount(of: holder)
    }

    private func remove(_ connection: ServerConnection) {
        let isRemoved = state.withLock { $0.connections.removeValue(forKey: connection.identifier) != nil }
        if isRemoved { context.shares[.connections].give(of: connection.holder) }
    }
}
