import Glibc
import ProcessLaunching

/// Runs one of Docent's programs to its end. The input goes through one socket, and the output comes through another.
/// Nothing is passed in arguments or the environment, and no other descriptor. Blocks.
enum HelperProcess {
    enum Ending: Equatable {
        case exited(Int32)
        case signalled(Int32)
        /// It was killed at the deadline.
        case timedOut
        case notStarted(String)
    }

    static func run(
        _ program: String, input: UnsafeRawBufferPointer, output: WipingBuffer, until end: ContinuousClock.Instant
    ) -> Ending {
        var (given, answered): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        defer { for file in given + answered where file >= 0 { close(file) } }
        // SIGPIPE would end this process; with a socket it can be suppressed.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &given) == 0,
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &answered) == 0
        else { return .notStarted(String(cString: strerror(errno))) }
        let child: pid_t
        do {
            child = try start(program, input: given[1], output: answered[1])
        } catch { return .notStarted(error.reason) }
        for file in [given[1], answered[1]] { close(file) }
        (given[1], answered[1]) = (-1, -1)
        var isInTime = true
        converse(input: input, &given[0], output: output, &answered[0], until: end, &isInTime)
        if !isInTime { kill(child, SIGKILL) }
        var status: Int32 = 0
        // It has closed its output, so it only needs to exit.
        while !isGone(child, &status, until: isInTime ? end : nil) {
            isInTime = false
            kill(child, SIGKILL)
        }
        guard isInTime else { return .timedOut }
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
    }

    private static func start(_ program: String, input: Int32, output: Int32) throws(LaunchFailure) -> pid_t {
        // Prevents GIO from loading modules.
        let environment = [
            "GIO_USE_VFS": "local", "GIO_MODULE_DIR": "/nonexistent", "GSETTINGS_BACKEND": "memory",
            "LC_ALL": "C.UTF-8",
        ]
        return try ProgramLaunch(
            program, [], environment: .exactly(environment), descriptors: [.copy(input), .copy(output), .null]
        ).start()
    }

    private static func converse(
        input: UnsafeRawBufferPointer, _ given: inout Int32, output: WipingBuffer, _ answered: inout Int32,
        until end: ContinuousClock.Instant, _ isInTime: inout Bool
    ) {
        var position = 0
        while true {
            let left = (end - .now).components
            let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
            guard milliseconds > 0 else {
                isInTime = false
                return
            }
            // poll ignores a negative descriptor.
            var files = [
                pollfd(fd: answered, events: Int16(POLLIN), revents: 0),
                pollfd(fd: given, events: Int16(POLLOUT), revents: 0),
            ]
            guard poll(&files, 2, Int32(clamping: milliseconds)) > 0 else { continue }
            if files[1].revents != 0 {
                let count = send(
                    given, input.baseAddress?.advanced(by: position), input.count - position,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                let code = errno
                if count > 0 { position += count }
                if position == input.count || (count < 0 && code != EINTR && code != EAGAIN) {
                    close(given)
                    given = -1
                }
            }
            if files[0].revents != 0 {
                var (count, code) = (0, Int32(0))
                output.append(atMost: 65_536) { room in
                    count = read(answered, room.baseAddress, room.count)
                    code = errno
                    return count
                }
                if count == 0 || (count < 0 && code != EINTR) { return }
            }
        }
    }

    /// Waits for the process to exit.
    ///
    /// - Parameter end: nil after it was killed, because it then certainly exits.
    private static func isGone(_ child: pid_t, _ status: inout Int32, until end: ContinuousClock.Instant?) -> Bool {
        while true {
            let result = waitpid(child, &status, WNOHANG)
            if result == child || (result < 0 && errno == ECHILD) { return true }
            if let end, ContinuousClock.now >= end { return false }
            usleep(500)
        }
    }
}
