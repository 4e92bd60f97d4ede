import CLinux
import Foundation
import Glibc

/// Ends the program properly when it is told to by a signal.
enum RunInterruption {
    private static let pipe: (reading: CInt, writing: CInt) = {
        var ends: [CInt] = [-1, -1]
        _ = clinux_pipe(&ends)
        return (ends[0], ends[1])
    }()

    /// SIGINT, SIGTERM and SIGHUP end the processes of the run, remove its directory, and end this program with 7.
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

    // In a signal handler: only what is safe there.
    private static func tell() {
        let saved = errno
        var byte: UInt8 = 1
        _ = write(pipe.writing, &byte, 1)
        errno = saved
    }
}
