import CLinux
import Dispatch
import DocentInterfaces
import Glibc
import Synchronization
import Varlink

/// Listens on a port of 127.0.0.1 and forwards everything to a service in both directions: with a delay, not at all, or
/// up to some byte. It works on TCP and knows no protocol above it. Thread-safe; only the threads of its connections
/// block.
package final class ServiceProxy: Sendable {
    /// A direction.
    package enum Direction: Sendable {
        /// From the provider to the service.
        case up
        /// From the service to the provider.
        case down
    }

    /// How many bytes passed in each direction.
    package struct Carried: Sendable, Hashable {
        /// From the provider to the service.
        package var up = 0
        /// From the service to the provider.
        package var down = 0
    }

    private struct State {
        var listener: CInt = -1
        var isEnded = false
        var carried = Carried()
        /// The byte at which all connections end, counted in ``carried``.
        var limit: (direction: Direction, count: Int)?
        var hasStruck = false
        var connections: [UInt64: ProxyConnection] = [:]
        var next: UInt64 = 0
    }

    // Each connection takes two threads, and Dispatch has 255 of them for all queues.
    private static let mostConnections = 64

    /// The address of the service.
    package let target: ServiceAddress
    /// The port of 127.0.0.1 for the provider.
    package let port: UInt16
    private let latency: Duration
    /// Reserves the port while nothing listens there.
    private let reservation: OwnedDescriptor
    private let state = Mutex(State())

    /// Starts to listen.
    ///
    /// - Parameter latency: the delay in each direction.
    /// - Throws: `Failure` when no port is free.
    package init(to target: ServiceAddress, latency: Duration = .zero) throws {
        self.target = target
        self.latency = latency
        reservation = try LoopbackSocket.bound(to: 0)
        port = try LoopbackSocket.port(of: reservation.raw)
        try listen()
    }

    deinit { end() }

    /// How many bytes have passed in each direction so far.
    package var carried: Carried { state.withLock { $0.carried } }

    /// Whether the limit set by ``pause(after:_:)`` was reached.
    package var hasStruck: Bool { state.withLock { $0.hasStruck } }

    /// Refuses connections from now on, and cuts the existing ones.
    package func pause() {
        state.withLock { Self.pause(&$0) }
    }

    /// Accepts connections again, and lets everything pass.
    ///
    /// - Throws: `Failure` when the port can no longer be used.
    package func resume() throws {
        let isOpen = state.withLock { state in
            state.limit = nil
            state.hasStruck = false
            return state.listener >= 0 || state.isEnded
        }
        if !isOpen { try listen() }
    }

    /// Cuts the existing connections. New ones are accepted.
    package func cut() { state.withLock { Self.cut(&$0) } }

    /// Pauses after `count` more bytes in one direction; no further byte arrives.
    package func pause(after count: Int, _ direction: Direction) {
        state.withLock { state in
            let sofar = direction == .up ? state.carried.up : state.carried.down
            state.limit = (direction, sofar + max(0, count))
            state.hasStruck = false
        }
    }

    /// Ends the proxy for good.
    package func end() {
        state.withLock { state in
            state.isEnded = true
            Self.pause(&state)
        }
    }

    // A socket that is shut down refuses connections at once; the thread that accepts them then closes it.
    private static func pause(_ state: inout State) {
        if state.listener >= 0 { shutdown(state.listener, CInt(SHUT_RDWR)) }
        state.listener = -1
        cut(&state)
    }

    private static func cut(_ state: inout State) {
        for connection in state.connections.values { connection.cut() }
        state.connections = [:]
    }

    private func listen() throws {
        let socket = try LoopbackSocket.bound(to: port)
        guard Glibc.listen(socket.raw, 64) == 0 else {
            throw Failure(.unavailable, "Port \(port) cannot be listened on: \(String(cString: strerror(errno))).")
        }
        let raw = socket.release()
        let isUsed = state.withLock { state in
            guard !state.isEnded, state.listener < 0 else { return false }
            state.listener = raw
            return true
        }
        guard isUsed else {
            clinux_close(raw)
            return
        }
        DispatchQueue(label: "org.docent.validation.proxy").async { [weak self] in
            while true {
                let client = accept(raw, nil, nil)
                if client >= 0 {
                    clinux_set_close_on_exec(client, 1)
                    clinux_set_status_flags(client, O_NONBLOCK)
                    guard let self else {
                        clinux_close(client)
                        break
                    }
                    self.take(client)
                } else if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
                    usleep(50_000)
                } else if ![EINTR, ECONNABORTED, EAGAIN].contains(errno) {
                    break
                }
            }
            clinux_close(raw)
        }
    }

    private func take(_ client: CInt) {
        let taken = state.withLock { state -> (UInt64, ProxyConnection)? in
            guard state.listener >= 0, state.connections.count < Self.mostConnections,
                let connection = ProxyConnection(client)
            else { return nil }
            state.next += 1
            state.connections[state.next] = connection
            return (state.next, connection)
        }
        guard let (number, connection) = taken else {
            LoopbackSocket.reset(client)
            clinux_close(client)
            return
        }
        let target = target
        let latency = latency
        DispatchQueue(label: "org.docent.validation.proxy.connection").async { [weak self] in
            connection.run(to: target, latency: latency) { direction, count in
                self?.passing(direction, count) ?? 0
            } atLimit: {
                self?.strike()
            }
            self?.state.withLock { _ = $0.connections.removeValue(forKey: number) }
        }
    }

    private func strike() {
        state.withLock { state in
            guard state.limit != nil else { return }
            state.hasStruck = true
            Self.pause(&state)
        }
    }

    /// How many of these bytes may pass; fewer than all of them when the limit is reached.
    private func passing(_ direction: Direction, _ count: Int) -> Int {
        state.withLock { state in
            let sofar = direction == .up ? state.carried.up : state.carried.down
            var passing = count
            if let limit = state.limit, limit.direction == direction { passing = min(count, limit.count - sofar) }
            passing = max(0, passing)
            switch direction {
            case .up: state.carried.up += passing
            case .down: state.carried.down += passing
            }
            return passing
        }
    }
}
