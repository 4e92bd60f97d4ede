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
    private let owner: Mutex<ShareHolder>

    /// Owns the socket and the peer's pidfd.
    init(
        _ descriptor: consuming OwnedDescriptor, peer: PeerCredentials, holder: ShareHolder, label: String,
        wake: WakeDescriptor, context: ServerContext
    ) {
        owner = Mutex(holder)
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
            refuse(&exchange, error)
            return
        }
        do throws(ServerShares.Exhaustion) {
            try recognise()
        } catch {
            refuse(&exchange, context.error(for: error))
            link.withLock { $0.close() }
            context.observer?.connectionClosed(identifier)
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

    /// Whose share it is of.
    var holder: ShareHolder { owner.withLock { $0 } }

    // Who it is has become known: it counts among the others of that one.
    private func recognise() throws(ServerShares.Exhaustion) {
        let old = holder
        guard old.kind == .unrecognised, let known = context.observer?.recognisedHolder(identifier), known != old else {
            return
        }
        do throws(PrincipalShares.Refusal) {
            try context.shares[.connections].hand(from: old, to: known)
        } catch {
            throw ServerShares.Exhaustion(resource: .connections, refusal: error, holder: known)
        }
        owner.withLock { $0 = known }
    }

    // Waits for the question only while few do: a refused peer must not take the place of another that would be let in.
    private func refuse(_ exchange: inout ServerExchange, _ error: any Error) {
        let waits = context.refusedWaiting.wrappingAdd(1, ordering: .relaxed).newValue <= Self.mostRefusedWaiting
        defer { context.refusedWaiting.wrappingSubtract(1, ordering: .relaxed) }
        exchange.refuse(with: error, patience: waits ? context.limits.refusalTimeout : .zero)
    }

    private static let mostRefusedWaiting = 16

    /// Whether `interrupt` was called.
    var wasInterrupted: Bool { isInterrupted.load(ordering: .relaxed) }
}
