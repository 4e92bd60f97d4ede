import CLinux
import Dispatch
import Glibc
import Synchronization

/// A connection of a provider through the proxy. Thread-safe.
final class ProxyConnection: Sendable {
    private static let piece = 1 << 18

    private let client: CInt
    /// Closing the writing end wakes every wait for a socket.
    private let wake: (reading: CInt, writing: CInt)
    private let isCut = Mutex(false)

    /// Takes over an accepted connection, whose socket is non-blocking and is closed by
    /// ``run(to:latency:passing:atLimit:)``; nil if there are no descriptors left.
    init?(_ client: CInt) {
        var ends: [CInt] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { return nil }
        self.client = client
        wake = (ends[0], ends[1])
    }

    deinit {
        clinux_close(wake.reading)
        clinux_close(wake.writing)
    }

    /// Ends both sides with an error, soon.
    func cut() {
        let isFirst = isCut.withLock { isCut in
            defer { isCut = true }
            return !isCut
        }
        var byte: UInt8 = 1
        if isFirst { clinux_write(wake.writing, &byte, 1) }
    }

    /// Forwards data both ways until both sides are done or the connection is cut. Blocks.
    ///
    /// - Parameters:
    ///   - passing: how many of the given number of bytes may pass.
    ///   - atLimit: called when there were more, which are dropped.
    func run(
        to target: ServiceAddress, latency: Duration,
        passing: @escaping @Sendable (ServiceProxy.Direction, Int) -> Int, atLimit: @escaping @Sendable () -> Void
    ) {
        let found = LoopbackSocket.connection(to: target)
        defer {
            for socket in [client, found].compactMap({ $0 }) {
                if found == nil || isCut.withLock({ $0 }) { LoopbackSocket.reset(socket) }
                clinux_close(socket)
            }
        }
        guard let service = found else { return }
        for socket in [client, service] { LoopbackSocket.hurry(socket) }
        let done = DispatchSemaphore(value: 0)
        DispatchQueue(label: "org.docent.validation.proxy.down").async { [self] in
            pump(from: service, to: client, latency) {
                passing(.down, $0)
            } atLimit: {
                atLimit()
            }
            done.signal()
        }
        pump(from: client, to: service, latency) {
            passing(.up, $0)
        } atLimit: {
            atLimit()
        }
        done.wait()
    }

    private func pump(
        from source: CInt, to target: CInt, _ latency: Duration, _ passing: (Int) -> Int, atLimit: () -> Void
    ) {
        var buffer = [UInt8](repeating: 0, count: Self.piece)
        while wait(for: source, Int16(POLLIN)) {
            let count = clinux_read(source, &buffer, buffer.count)
            if count == -Int(EAGAIN) { continue }
            guard count >= 0 else { return cut() }
            guard count > 0 else {
                shutdown(target, CInt(SHUT_WR))
                return
            }
            guard pause(latency) else { return }
            let allowed = passing(count)
            guard send(buffer[..<allowed], to: target) else { return cut() }
            guard allowed == count else { return atLimit() }
        }
    }

    private func send(_ bytes: ArraySlice<UInt8>, to target: CInt) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            guard wait(for: target, Int16(POLLOUT)) else { return false }
            let count = rest.withUnsafeBytes {
                Glibc.send(target, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits until a socket is ready; false when the connection is cut.
    private func wait(for socket: CInt, _ events: Int16) -> Bool {
        while true {
            var watched = [
                pollfd(fd: socket, events: events, revents: 0),
                pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&watched, 2, -1)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            return count > 0 && watched[1].revents == 0
        }
    }

    /// Waits for the latency; false when the connection is cut meanwhile.
    private func pause(_ latency: Duration) -> Bool {
        let milliseconds = latency / .milliseconds(1)
        guard milliseconds >= 1 else { return true }
        var watched = pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, CInt(min(milliseconds, 60_000))) == 0
    }
}
