import Glibc

/// The signals about the terminal: another size, stop, continue. Each becomes a byte in a pipe.
enum TerminalSignals {
    static let numbers = [SIGWINCH, SIGTSTP, SIGCONT]

    private static let pipe: (reading: CInt, writing: CInt) = {
        var ends: [CInt] = [-1, -1]
        _ = Glibc.pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }()

    /// Becomes readable when a signal has arrived.
    static var descriptor: CInt { pipe.reading }

    /// Notes the signals from now on.
    static func install() {
        // The pipe is made before a handler needs it, because a handler must not make it.
        guard pipe.reading >= 0 else { return }
        for number in numbers { signal(number) { TerminalSignals.note($0) } }
    }

    /// Gives them their usual meaning again.
    static func remove() { for number in numbers { signal(number, SIG_DFL) } }

    /// The signals that have arrived.
    static func take() -> Set<CInt> {
        var found: Set<CInt> = []
        var byte: UInt8 = 0
        while read(pipe.reading, &byte, 1) == 1 { found.insert(CInt(byte)) }
        return found
    }

    /// Stops this job as Control-Z does, and returns when it is continued; at once if nobody could continue it.
    static func suspend() {
        signal(SIGTSTP, SIG_DFL)
        _ = take()
        kill(0, SIGTSTP)
        // Another thread may get the signal, so this one must not take the terminal before the job has stopped.
        var entry = pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, 500)
        _ = take()
        signal(SIGTSTP) { TerminalSignals.note($0) }
    }

    /// Runs in a signal handler: only async-signal-safe calls.
    private static func note(_ number: CInt) {
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(pipe.writing, &byte, 1)
        errno = saved
    }
}
