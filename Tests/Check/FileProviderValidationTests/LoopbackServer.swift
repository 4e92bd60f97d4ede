import DocentTestSupport
import Foundation
import Glibc
import Synchronization

/// A server that echoes in capital letters, and whose peers are blocking sockets.
final class LoopbackServer: Sendable {
    let port: UInt16
    private let listener: CInt
    private let state = Mutex((received: 0, connections: 0, resets: 0))

    init() throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = Self.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 100) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard bound else {
            close(listener)
            throw Problem("no port is free")
        }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                self?.state.withLock { $0.connections += 1 }
                Thread.detachNewThread { self?.serve(client) }
            }
        }
    }

    deinit {
        shutdown(listener, CInt(SHUT_RDWR))
        close(listener)
    }

    /// The number of bytes received.
    var received: Int { state.withLock { $0.received } }
    /// The number of connections accepted.
    var connections: Int { state.withLock { $0.connections } }
    /// The number of connections that ended with an error.
    var resets: Int { state.withLock { $0.resets } }

    private func serve(_ client: CInt) {
        defer { close(client) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0 else {
                if count < 0 { state.withLock { $0.resets += 1 } }
                return
            }
            state.withLock { $0.received += count }
            let answer = buffer[..<count].map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0 }
            guard send(client, answer, count, CInt(MSG_NOSIGNAL)) == count else { return }
        }
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// A connection to a port of 127.0.0.1, or `errno`. Waits for nothing longer than 20 seconds.
    static func connect(_ port: UInt16) -> (socket: CInt, error: CInt) {
        let peer = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = Self.address(port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(peer, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return (peer, result == 0 ? 0 : errno)
    }

    /// Sends a text and reads as many bytes; returns what came, and `errno` if it ended early.
    static func ask(_ peer: CInt, _ text: String) -> (answer: String, error: CInt) {
        let bytes = Array(text.utf8)
        guard send(peer, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else { return ("", errno) }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while answer.count < bytes.count {
            let count = recv(peer, &buffer, buffer.count, 0)
            guard count > 0 else { return (String(decoding: answer, as: UTF8.self), count < 0 ? errno : 0) }
            answer += buffer[..<count]
        }
        return (String(decoding: answer, as: UTF8.self), 0)
    }
}
