import CVarlinkSocket
import Glibc
import Synchronization

/// Accepts the connections of a listening socket on its own thread.
final class ServerListener: Sendable {
    private let socket: OwnedDescriptor
    private let label: String
    private let refusalTimeout: Duration
    private let wake: WakeDescriptor
    private let isStopping = Atomic(false)
    private let running = Turn()

    init(
        _ socket: consuming OwnedDescriptor, label: String, refusalTimeout: Duration
    ) throws(VarlinkError) {
        // Another process may share the socket and accept first.
        let result = cvarlink_set_nonblocking(socket.raw)
        guard result == 0 else { throw VarlinkError(systemCall: "prepare a listening socket", errno: -result) }
        self.socket = socket
        self.label = label
        self.refusalTimeout = refusalTimeout
        wake = try WakeDescriptor()
    }

    /// Starts accepting.
    ///
    /// - Parameter accepted: takes a connection, or returns one that it refuses, which then stays open for a moment.
    func start(_ accepted: @escaping @Sendable (consuming OwnedDescriptor) -> OwnedDescriptor?) throws(VarlinkError) {
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

    /// Accepts pending connections and waits for the thread to end. Must not be called on that thread.
    func stop() {
        requestStop()
        _ = running.take(until: nil)
        running.give()
    }

    /// Makes the thread accept pending connections and end, without waiting for it.
    func requestStop() {
        isStopping.store(true, ordering: .sequentiallyConsistent)
        wake.signal()
    }

    // The number of connections accepted in one round before checking for a stop; more than the kernel queues.
    private static let roundLength = 4_096
    // The most refused connections that stay open at a time; the oldest is closed first.
    private static let mostRefused = 16

    private func acceptLoop(_ accepted: (consuming OwnedDescriptor) -> OwnedDescriptor?) {
        var refused: [(raw: CInt, until: Deadline)] = []
        defer { for one in refused { close(one.raw) } }
        while true {
            // Checked before accepting, so that every connection made before the stop is still accepted.
            let isLastRound = isStopping.load(ordering: .sequentiallyConsistent)
            var result: CInt = 0
            for _ in 0..<Self.roundLength {
                result = cvarlink_accept(socket.raw)
                guard result >= 0 else { break }
                guard let rest = accepted(OwnedDescriptor(result)) else { continue }
                if refused.count == Self.mostRefused { close(refused.removeFirst().raw) }
                refused.append((rest.release(), Deadline(after: refusalTimeout)))
            }
            if isLastRound { return }
            while let first = refused.first, first.until.millisecondsLeft == 0 { close(refused.removeFirst().raw) }
            wait(after: result, atMost: refused.first?.until.millisecondsLeft ?? -1)
        }
    }

    private func wait(after result: CInt, atMost milliseconds: CInt) {
        var entries = [
            pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake.raw, events: Int16(POLLIN), revents: 0),
        ]
        if [-EMFILE, -ENFILE, -ENOBUFS, -ENOMEM].contains(result) {
            // The peer stays in the queue, so the socket would be readable at once: wait only for the stop.
            entries[0].fd = -1
            poll(&entries, 2, 50)
        } else {
            poll(&entries, 2, milliseconds)
        }
    }
}
