import Glibc
import Synchronization

/// What a test leaves in the file system because something of it lives as long as the process: removed when that ends.
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
