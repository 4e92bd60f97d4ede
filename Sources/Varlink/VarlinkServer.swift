import CVarlinkSocket
import Glibc
import Synchronization

/// Answers varlink calls on any number of sockets, with one thread a connection. Safe to use from any thread.
package final class VarlinkServer: Sendable {
    private struct State {
        var isShutDown = false
        var connections: [ConnectionIdentifier: ServerConnection] = [:]
        var perPeer: [pid_t: Int] = [:]
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
        let listener = try ServerListener(descriptor, label: label)
        let previous = state.withLock { state -> ServerListener? in
            defer { state.listeners[label] = listener }
            return state.listeners[label]
        }
        previous?.stop()
        do {
            try listener.start { [weak self] connection in
                // A refused connection is closed, which is all that its peer is told.
                try? self?.serve(connection, label: label)
            }
        } catch {
            state.withLock { state in
                if state.listeners[label] === listener { state.listeners[label] = nil }
            }
            throw error
        }
    }

    /// Serves a socket that is connected already, on a thread of its own. Throws, closing the socket, if the peer or
    /// the server has too many connections (T4).
    package func serve(_ connection: consuming OwnedDescriptor, label: String) throws {
        let wake = try WakeDescriptor()
        let peer = try PeerCredentials(socket: connection.raw)
        let takesReserve = context.observer?.isInReserve(descriptor: connection.raw) == true
        let served = ServerConnection(connection, peer: peer, label: label, wake: wake, context: context)
        let needsReserve = takesReserve || needsReserve
        let mayUseReserve = needsReserve ? context.observer?.mayUseReserve(peer: peer, listener: label) ?? false : true
        let isAdmitted = state.withLock { state in
            let limit = context.limits.connections - (mayUseReserve ? 0 : context.limits.reservedConnections)
            let ofPeer = state.perPeer[peer.processIdentifier, default: 0]
            guard !state.isShutDown, mayUseReserve || !needsReserve, state.connections.count < limit,
                ofPeer < context.limits.connectionsPerPeer
            else { return false }
            state.connections[served.identifier] = served
            state.perPeer[peer.processIdentifier] = ofPeer + 1
            return true
        }
        guard isAdmitted else { throw VarlinkError(.closed, "There are too many connections.") }
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

    private var needsReserve: Bool {
        state.withLock { $0.connections.count >= context.limits.connections - context.limits.reservedConnections }
    }

    private func remove(_ connection: ServerConnection) {
        state.withLock { state in
            guard state.connections.removeValue(forKey: connection.identifier) != nil else { return }
            let peer = connection.peer.processIdentifier
            let left = state.perPeer[peer, default: 1] - 1
            state.perPeer[peer] = left > 0 ? left : nil
        }
    }
}
