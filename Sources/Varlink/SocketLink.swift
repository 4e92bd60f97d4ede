import Glibc

/// A connected socket that one thread uses and any thread may shut down. It is closed only when it is not in use.
struct SocketLink: ~Copyable {
    /// The descriptor's number; -1 once closed.
    private(set) var raw: CInt
    private(set) var isShutDown = false

    init(_ descriptor: consuming OwnedDescriptor) {
        raw = descriptor.release()
    }

    deinit {
        if raw >= 0 { Glibc.close(raw) }
    }

    /// Wakes a thread that waits on the socket; it finds the end of the stream.
    mutating func shutdown() {
        isShutDown = true
        if raw >= 0 { _ = Glibc.shutdown(raw, CInt(SHUT_RDWR)) }
    }

    /// Closes the socket, which must not be in use.
    mutating func close() {
        isShutDown = true
        if raw >= 0 { Glibc.close(raw) }
        raw = -1
    }
}
