import CommandConsole
import Glibc

/// SIGINT, SIGTERM and SIGHUP: the first cancels what runs, which then ends with status 7.
enum Interruption {
    private static let pipe: (reading: CInt, writing: CInt) = {
        var ends: [CInt] = [-1, -1]
        _ = Glibc.pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }()

    /// Calls `cancel` at the first signal. At the second, or where cancelling does not help within two seconds, the
    /// program ends at once; what the daemon holds for it goes with its connections.
    static func watch(_ cancel: @escaping @Sendable () -> Void) {
        // Made before a handler needs it: making it is nothing that a handler may do.
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
        // Not by a blocked set and sigwait: the thread that Dispatch parks takes every signal.
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { _ in Interruption.tell() } }
    }

    /// In a signal handler: only what is safe there.
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
        StandardError.write("docent: Interrupted.\n")
        _exit(ExitStatus.cancelled.rawValue)
    }

    private final class Handler: Sendable {
        let cancel: @Sendable () -> Void

        init(_ cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }
    }
}
