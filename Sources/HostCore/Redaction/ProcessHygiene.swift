import CLinux
import Glibc
import Keyring

/// Keeps the daemon's secrets in its own memory.
package enum ProcessHygiene {
    /// The signals of a crash. Swift's runtime would then write the registers, and the memory that they point to, into
    /// the log.
    private static let crashes = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGSYS, SIGTRAP]

    /// Disables core files for this process. While it holds any ``Secret``, no other process of the user may read its
    /// memory or trace it, and it is not handed to the system's crash collector. From the first secret on, it ends
    /// without a crash report.
    package static func begin() {
        var none = rlimit()
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        Secret.onFirstAndLast { holdsAny in
            clinux_set_dumpable(holdsAny ? 0 : 1)
            guard holdsAny else { return }
            for number in crashes { signal(number, SIG_DFL) }
        }
    }
}
