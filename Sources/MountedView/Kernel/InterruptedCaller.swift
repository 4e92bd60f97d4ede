import Glibc

/// A program that got a signal while it waits for the file system. Most signals can wait until the answer is there, as
/// on a disk. Pure.
package enum InterruptedCaller {
    /// Signals that programs use among themselves, many times a second in some languages. A call that ends because of
    /// one would look like a broken file system.
    private static let patient: Set<CInt> = [
        SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGPROF, SIGVTALRM, SIGIO, SIGUSR1, SIGUSR2,
    ]

    /// Whether the call should end with EINTR: the program is to end, a person interrupted it, or it is to be frozen.
    ///
    /// - Parameter status: what `/proc/PID/status` of the thread contains; nil if it cannot be read.
    package static func mustReturn(_ status: String?) -> Bool {
        guard let status else { return true }
        var fields: [Substring: UInt64] = [:]
        for line in status.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            if ["SigPnd", "ShdPnd", "SigBlk"].contains(line[..<colon]) {
                fields[line[..<colon]] = UInt64(value, radix: 16)
            }
        }
        guard let own = fields["SigPnd"], let shared = fields["ShdPnd"], let blocked = fields["SigBlk"] else {
            return true
        }
        let pending = (own | shared) & (~blocked | bit(SIGKILL))
        // Nothing is pending when a program is frozen or traced.
        guard pending != 0 else { return true }
        return patient.reduce(pending) { $0 & ~bit($1) } != 0
    }

    private static func bit(_ signal: CInt) -> UInt64 { 1 << UInt64(signal - 1) }
}
