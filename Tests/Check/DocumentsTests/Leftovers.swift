import Glibc
import Synchronization

/// Files that must live as long as the process: removed when it ends.
enum Leftovers {
    private static let paths = Mutex<[String]>([])
    private static let registration: Void = {
        atexit {
            for path in Leftovers.paths.withLock({ $0 }) { unlink(path) }
        }
    }()

    static func removeAtExit(_ path: String) {
        _ = registration
        paths.withLock { $0.append(path) }
    }
}
