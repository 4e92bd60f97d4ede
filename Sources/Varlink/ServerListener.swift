import CVarlinkSocket
import Glibc
import Synchronization

/// A thread that accepts the connections of one listening socket.
final class ServerListener: Sendable {
    private let socket: OwnedDescriptor
    private let label: String
    private let wake: WakeDescriptor
    private let isStopping = Atomic(false)
    private let running = Turn()

    init(_ socket: consuming OwnedDescriptor, label: String) throws(VarlinkError) {
        // Another process may share the socket and accept first.
        let result = cvarlink_set_nonblocking(socket.raw)
        guard result == 0 else { throw VarlinkError(systemCall: "prepare a listening socket", errno: -result) }
        self.socket = socket
        self.label = label
        wake = try WakeDescriptor()
    }

    func start(_ accepted: @escaping @Sendable (consuming OwnedDescriptor) -> Void) throws(VarlinkError) {
        _ = running.take(until: nil)
        do {
            try DetachedThread.start(name: "varlink-accept") { [self] in
                acceptLoop(accepted)
                running.give()
            }
        } catch {
            running.give()
            throw error
        }
    }

    /// Lets the thread accept what is pending and waits for its end. Not to be called on that thread.
    func stop() {
        requestStop()
        _ = running.take(until: nil)
        running.give()
    }

    /// Lets the thread accept what is pending and end, without waiting for it.
    func requestStop() {
        isStopping.store(true, ordering: .sequentiallyConsistent)
        wake.signal()
    }

    private func acceptLoop(_ accepted: (consuming OwnedDescriptor) -> Void) {
        while true {
            // Asked before accepting, so that everything which had connected before the stop is still accepted.
            let isLastRound = isStopping.load(ordering: .sequentiallyConsistent)
            var result = cvarlink_accept(socket.raw)
            while result >= 0 {
                accepted(OwnedDescriptor(result))
                result = cvarlink_accept(socket.raw)
            }
            if isLastRound { return }
            var entries = [
                pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.raw, events: Int16(POLLIN), revents: 0),
            ]
            if [-EMFILE, -ENFILE, -ENOBUFS, -ENOMEM].contains(result) {
                // The peer stays in the queue; the socket would be readable at once, so only the stop is waited for.
                entries[0].fd = -1
                poll(&entries, 2, 50)
            } else {
                poll(&entries, 2, -1)
            }
        }
    }
}
