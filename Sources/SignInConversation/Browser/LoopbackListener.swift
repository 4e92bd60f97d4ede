import CommandConsole
import Documents
import Glibc
import Synchronization

/// Waits on 127.0.0.1 until a browser is redirected there (RFC 8252, 7.3). It accepts one answer, and leaves judging it
/// to the provider.
final class LoopbackListener: Sendable {
    /// A connection, and the bytes received on it.
    private struct Visitor {
        let descriptor: CInt
        let end: ContinuousClock.Instant
        var bytes: [UInt8] = []
    }

    private static let mostVisitors = 16
    private static let visit: Duration = .seconds(10)

    private let listener: CInt
    private let isCancelled = Atomic(false)
    /// The redirect address for the identity server.
    let redirect: String

    /// Listens on a free port.
    ///
    /// - Throws: ``DocumentsError``.
    init() throws(DocumentsError) {
        let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Self.flags, 0)
        guard made >= 0 else { throw Self.failure }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(made, address, length) == 0 && listen(made, 8) == 0
                    && getsockname(made, address, &length) == 0
            }
        }
        guard isListening else {
            close(made)
            throw Self.failure
        }
        listener = made
        redirect = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"
    }

    deinit { close(listener) }

    /// Waits for the answer. Call it once. Cancelling the task ends the wait.
    ///
    /// - Returns: the address that the browser was redirected to, with its query.
    /// - Throws: ``DocumentsError`` `deadlineExceeded`, `cancelled`.
    func answer(within deadline: Duration) async throws(DocumentsError) -> String {
        let end = ContinuousClock.now + deadline
        let target = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<String?, Never>) in
                let isStarted = Thread.start { continuation.resume(returning: self.serve(until: end)) }
                if !isStarted { continuation.resume(returning: nil) }
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
        if let target { return redirect + target.dropFirst() }
        guard !isCancelled.load(ordering: .relaxed) else {
            throw DocumentsError(.cancelled, "Interrupted.")
        }
        throw DocumentsError(
            .deadlineExceeded, "The browser did not send an answer in time.",
            suggestion:
                "Try again. If no browser can be shown, --device gives a code to type elsewhere.")
    }

    private static let flags = Int32(bitPattern: SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

    private static var failure: DocumentsError {
        DocumentsError(
            .failed, "The port for the browser's answer cannot be opened: \(String(cString: strerror(errno))).")
    }

    /// Browsers open connections that they never use, so all connections are polled together.
    private func serve(until end: ContinuousClock.Instant) -> String? {
        var visitors: [Visitor] = []
        defer { for visitor in visitors { close(visitor.descriptor) } }
        while !isCancelled.load(ordering: .relaxed), ContinuousClock.now < end {
            var entries = visitors.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            entries.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
            guard poll(&entries, nfds_t(entries.count), 100) >= 0 else { continue }
            var staying: [Visitor] = []
            var target: String?
            for (visitor, entry) in zip(visitors, entries) {
                var visitor = visitor
                let request = entry.revents == 0 ? .incomplete : Self.read(&visitor)
                if request == .incomplete, ContinuousClock.now < visitor.end {
                    staying.append(visitor)
                    continue
                }
                Self.leave(visitor, request ?? .malformed)
                if case .answer(let text) = request, target == nil { target = text }
            }
            visitors = staying
            if let target { return target }
            if entries.last?.revents ?? 0 != 0 { accept(&visitors) }
        }
        return nil
    }

    private func accept(_ visitors: inout [Visitor]) {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        // If there are too many, the oldest is closed: it has not sent a request.
        if visitors.count >= Self.mostVisitors { close(visitors.removeFirst().descriptor) }
        visitors.append(Visitor(descriptor: descriptor, end: ContinuousClock.now + Self.visit))
    }

    /// Reads what has arrived; nil if the visitor has gone.
    private static func read(_ visitor: inout Visitor) -> BrowserRequest? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(visitor.descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return .incomplete }
        guard count > 0 else { return nil }
        visitor.bytes += buffer[..<count]
        return BrowserRequest(visitor.bytes)
    }

    private static func leave(_ visitor: Visitor, _ request: BrowserRequest) {
        // The response fits into the socket's buffer. A visitor that does not read it loses it.
        let bytes = Array(request.response.utf8)
        _ = send(visitor.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        shutdown(visitor.descriptor, Int32(SHUT_WR))
        close(visitor.descriptor)
    }
}
