import CommandConsole
import Glibc
import TerminalPicker

/// Handles SIGINT, SIGTERM and SIGHUP: the first one cancels the running command, which then ends with status 7.
enum Interruption {
    private static let pipe: (reading: CInt, writing: CInt) = {
        var ends: [CInt] = [-1, -1]
        _ = Glibc.pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }()

    /// Calls `cancel` at the first signal. At the second, or if cancelling has no effect within two seconds, the
    /// program ends at once. The daemon releases what it holds for the program when its connections close.
    static func watch(_ cancel: @escaping @Sendable () -> Void) {
        // The pipe is made before a handler needs it, because a handler must not make it.
        guard pipe.reading >= 0 else { return }
        let handler = Handler(cancel)
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Interruption.wait(Unmanaged<Handler>.fromOpaque(argument).takeRetainedValue())
                return nil
            }, Unmanaged.passRetained(handler).toOpaque())
        guard result == 0 else { return }
        pthread_detach(thread)
        // A blocked set and sigwait would not work: the thread that Dispatch parks takes every signal.
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { _ in Interruption.tell() } }
    }

    /// Runs in a signal handler: only async-signal-safe calls.
    private static func tell() {
        let saved = errno
        var byte: UInt8 = 1
        _ = write(pipe.writing, &byte, 1)
        errno = saved
    }

    private static func wait(_ handler: Handler) {
        var byte: UInt8 = 0
        while read(pipe.reading, &byte, 1) != 1 {}
        handler.cancel()
        var entry = pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, 2000) < 0, errno == EINTR {}
        TerminalDevice.restore()
        StandardError.write("docent: Interrupted.\n")
        _exit(ExitStatus.cancelled.rawValue)
    }

    private final class Handler: Sendable {
        let cancel: @Sendable () -> Void

        init(_ cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }
    }
}
