import CVarlinkSocket
import Glibc
import Synchronization

/// A thread that accepts the connections of one listening socket.
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

    /// Starts to accept.
    ///
    /// - Parameter accepted: takes a connection; one that it refuses it gives back, and that stays open for a moment.
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

    // Connections that a round accepts before it looks whether it is to end: more than the kernel queues.
    private static let roundLength = 4_096
    // Refused connections that are kept open at a time; the oldest gives way.
    private static let mostRefused = 16

    private func acceptLoop(_ accepted: (consuming OwnedDescriptor) -> OwnedDescriptor?) {
        var refused: [(raw: CInt, until: Deadline)] = []
        defer { for one in refused { close(one.raw) } }
        while true {
            // Asked before accepting, so that everything which had connected before the stop is still accepted.
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
            // The peer stays in the queue; the socket would be readable at once, so only the stop is waited for.
            entries[0].fd = -1
            poll(&entries, 2, 50)
        } else {
            poll(&entries, 2, milliseconds)
        }
    }
}
