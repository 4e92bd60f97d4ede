import CVarlinkSocket
import FoundationEssentials
import Glibc
import Synchronization

/// One connection of a server: a thread that reads a call, answers it, and reads the next.
final class ServerConnection: Sendable {
    let identifier = ConnectionIdentifier.next()
    let peer: PeerCredentials
    private let label: String
    private let context: ServerContext
    private let wake: WakeDescriptor
    private let link: Mutex<SocketLink>
    private let isInterrupted = Atomic(false)
    private let socket: CInt

    /// Owns the socket and the peer's pidfd.
    init(
        _ descriptor: consuming OwnedDescriptor, peer: PeerCredentials, label: String, wake: WakeDescriptor,
        context: ServerContext
    ) {
        self.peer = peer
        self.label = label
        self.context = context
        socket = descriptor.raw
        link = Mutex(SocketLink(descriptor))
        self.wake = wake
    }

    deinit {
        // Handlers hold the connection, so the pidfd outlives their use of it.
        if let raw = peer.processDescriptor { close(raw) }
    }

    /// Ends the connection from any thread: what runs is cancelled, what is queued is dropped.
    func interrupt() {
        isInterrupted.store(true, ordering: .relaxed)
        link.withLock { $0.shutdown() }
        wake.signal()
    }

    /// The thread's whole life.
    func run() {
        defer { link.withLock { $0.close() } }
        var exchange = ServerExchange(connection: self, socket: socket, wake: wake, context: context)
        do {
            try context.observer?.connectionOpened(identifier, peer: peer, listener: label)
        } catch {
            exchange.refuse(with: error)
            return
        }
        do {
            try exchange.serve()
        } catch  where error.code != .closed {
            context.observer?.connectionFailed(identifier, error)
        } catch {}
        link.withLock { $0.close() }
        context.observer?.connectionClosed(identifier)
    }

    /// Whether `interrupt` was called.
    var wasInterrupted: Bool { isInterrupted.load(ordering: .relaxed) }
}
