import FileProvider
import Glibc

/// A thread for work that waits, so that Swift's few threads never do.
package enum OwnThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs the work on a new thread.
    ///
    /// - Throws: `FileProviderError` when the system gives no thread.
    package static func run(_ body: @escaping @Sendable () -> Void) throws {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, OwnThread.main, work.toOpaque())
        guard code == 0 else {
            work.release()
            throw FileProviderError(.failed, "The system gives no more threads.")
        }
        pthread_detach(thread)
    }

    private static let main: @Sendable @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { raw in
        if let raw { Unmanaged<Work>.fromOpaque(raw).takeRetainedValue().body() }
        return nil
    }
}
