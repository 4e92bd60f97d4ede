import FileSystemMessages
import Glibc

/// A program that got a signal while it waits for the file system. Most signals can wait until the answer is there, as
/// on a disk. Pure.
package enum InterruptedCaller {
    /// Signals that programs use among themselves, many times a second in some languages. A call that ends because of
    /// one would look like a broken file system.
    private static let patient: Set<CInt> = [
        SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGPROF, SIGVTALRM, SIGIO, SIGUSR1, SIGUSR2,
    ]

    /// Signals by which a person or another program stops a program for a while. It goes on with its call later.
    private static let stopping: Set<CInt> = [SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU]

    /// Whether a call whose program was woken ends.
    package enum Decision: Equatable, Sendable {
        /// The program is to end, or a person interrupted it: the call ends with EINTR.
        case end
        /// Whatever woke it can wait for the answer.
        case goOn
        /// No signal tells why: it is to be frozen, or the kernel had reasons of its own.
        case unexplained
    }

    /// - Parameter status: what `/proc/PID/status` of the thread contains; nil if it cannot be read.
    package static func decision(_ status: String?) -> Decision {
        guard let status else { return .end }
        var fields: [Substring: UInt64] = [:]
        for line in status.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            if ["SigPnd", "ShdPnd", "SigBlk"].contains(line[..<colon]) {
                fields[line[..<colon]] = UInt64(value, radix: 16)
            }
        }
        guard let own = fields["SigPnd"], let shared = fields["ShdPnd"], let blocked = fields["SigBlk"] else {
            return .end
        }
        let pending = (own | shared) & (~blocked | bit(SIGKILL))
        guard pending != 0 else { return .unexplained }
        return patient.union(stopping).reduce(pending) { $0 & ~bit($1) } != 0 ? .end : .goOn
    }

    /// How long a call goes on whose program was woken for no reason that can be seen. A frozen program cannot wait
    /// longer, but a change that ends with EINTR leaves open whether it was made.
    package static func patience(isChange: Bool) -> Duration { isChange ? .seconds(5) : .milliseconds(300) }

    private static func bit(_ signal: CInt) -> UInt64 { 1 << UInt64(signal - 1) }
}

extension KernelRequest.Operation {
    /// Whether it changes something, so that a program cannot simply ask again.
    var isChange: Bool {
        switch self {
        case .setAttributes, .makeFolder, .makeNode, .makeLink, .makeSymbolicLink, .remove, .removeFolder, .rename,
            .create, .write, .flush, .synchronize, .synchronizeFolder, .setExtendedAttribute,
            .removeExtendedAttribute, .allocate:
            true
        case .initialize, .destroy, .forget, .interrupt, .lookUp, .attributes, .readLink, .open, .openFolder, .read,
            .readFolder, .release, .releaseFolder, .statistics, .access, .extendedAttribute, .extendedAttributes,
            .seek, .other:
            false
        }
    }
}
