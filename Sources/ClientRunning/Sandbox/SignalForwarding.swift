import CommandConsole
import Glibc
import Synchronization

/// Forwards the signals that this program gets while a sandbox runs. Takes the place of ``Interruption``.
enum SignalForwarding {
    static let forwarded = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH]

    private static let pipe: (reading: CInt, writing: CInt) = {
        var ends: [CInt] = [-1, -1]
        _ = Glibc.pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }()

    /// Calls `deliver` on a separate thread with the number of each signal that arrives from now on.
    static func watch(_ deliver: @escaping @Sendable (CInt) -> Void) {
        // The pipe is made before a handler needs it, because a handler must not make it.
        guard pipe.reading >= 0 else { return }
        guard Thread.start({ wait(deliver) }) else { return }
        for number in forwarded { signal(number) { SignalForwarding.tell($0) } }
    }

    /// Runs in a signal handler: only async-signal-safe calls.
    private static func tell(_ number: CInt) {
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(pipe.writing, &byte, 1)
        errno = saved
    }

    private static func wait(_ deliver: (CInt) -> Void) {
        var byte: UInt8 = 0
        while true {
            let count = read(pipe.reading, &byte, 1)
            if count == 1 { deliver(CInt(byte)) } else if count == 0 || errno != EINTR { return }
        }
    }
}
