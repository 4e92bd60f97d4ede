import CLinux
import Foundation
import Glibc

/// Ends the program properly after a signal.
enum RunInterruption {
    private static let pipe: (reading: CInt, writing: CInt) = {
        var ends: [CInt] = [-1, -1]
        _ = clinux_pipe(&ends)
        return (ends[0], ends[1])
    }()

    /// On SIGINT, SIGTERM and SIGHUP, ends the processes of the run, removes its directory, and exits with 7.
    static func watch() {
        guard pipe.reading >= 0 else { return }
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while read(pipe.reading, &byte, 1) != 1 {}
            Leftovers.interrupt()
            FileDescriptorText.write("docent: Interrupted.\n", to: STDERR_FILENO)
            _exit(7)
        }
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { _ in RunInterruption.tell() } }
    }

    // Runs in a signal handler: only async-signal-safe calls.
    private static func tell() {
        let saved = errno
        var byte: UInt8 = 1
        _ = write(pipe.writing, &byte, 1)
        errno = saved
    }
}
