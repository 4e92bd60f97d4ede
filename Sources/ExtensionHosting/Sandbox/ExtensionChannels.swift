import CLinux
import Glibc

/// The three connections between the daemon and an extension's process, all close-on-exec.
struct ExtensionChannels {
    /// The daemon's end and the process's end.
    struct Pair {
        var outer: CInt = -1
        var inner: CInt = -1
    }

    /// The varlink socket, the lifeline, and the pipe of standard output and error.
    private(set) var socket = Pair()
    private(set) var lifeline = Pair()
    private(set) var errors = Pair()

    /// Nil when there are no descriptors left.
    init?() {
        var ends: [CInt] = [-1, -1]
        guard Self.socketPair(&socket), Self.socketPair(&lifeline), clinux_pipe(&ends) == 0 else {
            closeInner()
            closeOuter()
            return nil
        }
        errors = Pair(outer: ends[0], inner: ends[1])
    }

    /// The process's ends, in the order of their numbers 2, 3, 4.
    var inner: [CInt] { [errors.inner, socket.inner, lifeline.inner] }

    func closeInner() { Self.close([socket.inner, lifeline.inner, errors.inner]) }

    func closeOuter() { Self.close([socket.outer, lifeline.outer, errors.outer]) }

    private static func close(_ descriptors: [CInt]) {
        for descriptor in descriptors where descriptor >= 0 { Glibc.close(descriptor) }
    }

    private static func socketPair(_ pair: inout Pair) -> Bool {
        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return false }
        pair = Pair(outer: ends[0], inner: ends[1])
        return true
    }
}
