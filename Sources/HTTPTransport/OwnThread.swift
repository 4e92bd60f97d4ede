import FileProvider
import Glibc

/// A thread for blocking work, so that Swift's few threads never block.
package enum OwnThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs the work on a new thread.
    ///
    /// - Throws: `FileProviderError` when no thread can be made.
    package static func run(_ body: @escaping @Sendable () -> Void) throws {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, OwnThread.main, work.toOpaque())
        guard code == 0 else {
            work.release()
            throw FileProviderError(.failed, "No more threads can be created.")
        }
        pthread_detach(thread)
    }

    private static let main: @Sendable @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { raw in
        if let raw { Unmanaged<Work>.fromOpaque(raw).takeRetainedValue().body() }
        return nil
    }
}
