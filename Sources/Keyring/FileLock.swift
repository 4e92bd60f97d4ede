import Glibc

/// A lock between processes, on a file that is never removed. The lock ends with the process that holds it.
final class FileLock {
    private let file: Int32

    /// Waits for the lock until the deadline.
    ///
    /// - Throws: ``KeyringError/timedOut``, or ``KeyringError/unavailable(_:)`` when the file cannot be created.
    init(_ path: String, until deadline: ContinuousClock.Instant) throws(KeyringError) {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            throw .unavailable("\(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < deadline else {
                close(file)
                throw .timedOut
            }
            usleep(2000)
        }
        self.file = file
    }

    deinit { close(file) }
}
