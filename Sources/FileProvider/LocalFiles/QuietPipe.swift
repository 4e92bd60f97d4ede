import CLinux
import Glibc

/// Writes to a pipe whose reader may be gone, without the signal SIGPIPE, which would end the process.
///
/// The disposition of the signal belongs to the program, which may be anyone's. So the signal is blocked in this thread
/// during the write, and one that the write causes is taken back.
enum QuietPipe {
    /// Writes as much as fits. Does not wait if the descriptor does not block.
    ///
    /// - Returns: how many bytes were written, or a negative `errno`.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> Int {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return 0 }
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var pending = sigset_t()
        sigpending(&pending)
        let count = clinux_write(descriptor, start, bytes.count)
        if count == -Int(EPIPE), sigismember(&pending, SIGPIPE) == 0 {
            var none = timespec()
            while sigtimedwait(&signals, nil, &none) < 0, errno == EINTR {}
        }
        return count
    }

    /// Whether there is room, or an error to be found by writing, within some time. Blocks.
    static func isReady(_ descriptor: CInt, within milliseconds: CInt) -> Bool {
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&wait, 1, milliseconds) > 0
    }
}
