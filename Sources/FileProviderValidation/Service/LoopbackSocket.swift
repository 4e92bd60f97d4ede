import CLinux
import DocentInterfaces
import Glibc
import Varlink

/// TCP sockets with close-on-exec.
enum LoopbackSocket {
    /// The time limit for connecting to a service, in seconds.
    private static let patience = 10

    /// A socket bound to a port of 127.0.0.1. Other sockets may be bound to it too, as long as only one of them
    /// listens.
    ///
    /// - Parameter port: 0 for any free port.
    static func bound(to port: UInt16) throws -> OwnedDescriptor {
        let socket = OwnedDescriptor(Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        guard socket.raw >= 0 else { throw failure("make a socket") }
        var yes: CInt = 1
        setsockopt(socket.raw, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        let raw = socket.raw
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(raw, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw failure("use a port of 127.0.0.1") }
        return socket
    }

    /// The port that a socket is bound to.
    static func port(of socket: CInt) throws -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        guard result == 0 else { throw failure("find a port of 127.0.0.1") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Connects to a service. Blocks.
    ///
    /// - Returns: nil when it cannot be reached.
    static func connection(to target: ServiceAddress) -> CInt? {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(target.host, "\(target.port)", &hints, &found) == 0 else { return nil }
        defer { freeaddrinfo(found) }
        var next = found
        while let candidate = next {
            if let socket = connection(to: candidate.pointee) { return socket }
            next = candidate.pointee.ai_next
        }
        return nil
    }

    private static func connection(to address: addrinfo) -> CInt? {
        let socket = Glibc.socket(
            address.ai_family, address.ai_socktype | CInt(SOCK_CLOEXEC.rawValue), address.ai_protocol)
        guard socket >= 0 else { return nil }
        // The timeout applies to connecting, too.
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard connect(socket, address.ai_addr, address.ai_addrlen) == 0 else {
            clinux_close(socket)
            return nil
        }
        clinux_set_status_flags(socket, O_NONBLOCK)
        return socket
    }

    /// Sends small packets at once.
    static func hurry(_ socket: CInt) {
        var yes: CInt = 1
        setsockopt(socket, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Makes closing the socket an error for the peer instead of the end of the data.
    static func reset(_ socket: CInt) {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    private static func failure(_ what: String) -> Failure {
        Failure(.unavailable, "The validator cannot \(what): \(String(cString: strerror(errno))).")
    }
}
