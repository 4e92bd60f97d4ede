import CVarlinkSocket
import FoundationEssentials
import Glibc
import Synchronization

/// A connection of a server: its thread reads a call, answers it, and reads the next.
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

    /// Takes ownership of the socket and the peer's pidfd.
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
        // Handlers retain the connection, so the pidfd is valid for as long as they use it.
        if let raw = peer.processDescriptor { close(raw) }
    }

    /// Ends the connection from any thread. Running calls are cancelled, and queued replies are dropped.
    func interrupt() {
        isInterrupted.store(true, ordering: .relaxed)
        link.withLock { $0.shutdown() }
        wake.signal()
    }

    /// The body of the connection's thread.
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

    /// The holder whose share the connection uses.
    var holder: ShareHolder { owner.withLock { $0 } }

    // Moves the connection to the share of the recognised holder.
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

    // Waits for the first call only while few others do: a refused peer must not take the place of one that would be
    // accepted.
    private func refuse(_ exchange: inout ServerExchange, _ error: any Error) {
        let waits = context.refusedWaiting.wrappingAdd(1, ordering: .relaxed).newValue <= Self.mostRefusedWaiting
        defer { context.refusedWaiting.wrappingSubtract(1, ordering: .relaxed) }
        exchange.refuse(with: error, patience: waits ? context.limits.refusalTimeout : .zero)
    }

    private static let mostRefusedWaiting = 16

    /// Whether `interrupt` was called.
    var wasInterrupted: Bool { isInterrupted.load(ordering: .relaxed) }
}
