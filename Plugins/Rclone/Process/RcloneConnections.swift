import HTTPTransport
import Synchronization

/// Connections to rclone that wait for the next request, each with libcurl's handle: a few, all to the same run of rclone.
final class RcloneConnections: Sendable {
    static let shared = RcloneConnections()
    private static let most = 4
    private let idle = Mutex((process: CInt(-1), handles: [HTTPHandle]()))

    /// One for a request to this process.
    ///
    /// - Throws: `FileProviderError` when libcurl does not start.
    func take(for process: CInt) throws -> HTTPHandle {
        let kept = idle.withLock { $0.process == process ? $0.handles.popLast() : nil }
        return try kept ?? HTTPHandle()
    }

    /// The request was answered as a whole: the connection serves another one.
    func giveBack(_ handle: HTTPHandle, of process: CInt) {
        // What goes is closed after the lock.
        let surplus = idle.withLock { idle -> [HTTPHandle] in
            // Nobody listens to what an earlier run was asked.
            let former = idle.process == process ? [] : idle.handles
            if idle.process != process { idle = (process, []) }
            guard idle.handles.count < Self.most else { return former }
            idle.handles.append(handle)
            return former
        }
        withExtendedLifetime(surplus) {}
    }
}
