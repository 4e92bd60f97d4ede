import HTTPTransport
import Synchronization

/// Idle connections to rclone, each with its libcurl handle. At most four are kept, all to the same run of rclone.
final class RcloneConnections: Sendable {
    static let shared = RcloneConnections()
    private static let most = 4
    private let idle = Mutex((process: CInt(-1), handles: [HTTPHandle]()))

    /// Returns an idle handle for a request to this process, or a new one.
    ///
    /// - Throws: `FileProviderError` when libcurl does not start.
    func take(for process: CInt) throws -> HTTPHandle {
        let kept = idle.withLock { $0.process == process ? $0.handles.popLast() : nil }
        return try kept ?? HTTPHandle()
    }

    /// Returns a handle whose reply was read completely, so that its connection can serve another request.
    func giveBack(_ handle: HTTPHandle, of process: CInt) {
        // The surplus handles are closed after the lock is released.
        let surplus = idle.withLock { idle -> [HTTPHandle] in
            // Connections to an earlier run are useless: its process has ended.
            let former = idle.process == process ? [] : idle.handles
            if idle.process != process { idle = (process, []) }
            guard idle.handles.count < Self.most else { return former }
            idle.handles.append(handle)
            return former
        }
        withExtendedLifetime(surplus) {}
    }
}
