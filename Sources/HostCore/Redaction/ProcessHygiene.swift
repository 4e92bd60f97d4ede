import CLinux
import Glibc
import Keyring

/// What keeps the daemon's secrets in its own memory.
package enum ProcessHygiene {
    /// The signals of a crash, after which Swift's runtime writes what is in the registers, and near where they point,
    /// into the log.
    private static let crashes = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGSYS, SIGTRAP]

    /// No core file of this process from now on. While it holds any ``Secret``, no other process of the user may read
    /// its memory or trace it, nor is it given to the system's collector of crashes; and from the first one on it ends
    /// without a report.
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
