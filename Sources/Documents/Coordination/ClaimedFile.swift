import Glibc
import Synchronization

/// A descriptor that stays open as long as an access lasts.
final class ClaimedFile: Sendable {
    private let file: Mutex<CInt>

    init(_ descriptor: CInt) { file = Mutex(descriptor) }

    deinit { close() }

    /// The descriptor; −1 once closed.
    var descriptor: CInt { file.withLock { $0 } }

    /// A new open file description of the same content, positioned at the start; nil once closed.
    func reopen() -> CInt? {
        file.withLock { descriptor in
            guard descriptor >= 0 else { return nil }
            let again = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
            return again >= 0 ? again : nil
        }
    }

    func close() {
        file.withLock { descriptor in
            if descriptor >= 0 { Glibc.close(descriptor) }
            descriptor = -1
        }
    }
}
