import CCurl
import Synchronization

/// Connections to rclone that wait for the next request, each with libcurl's handle: a few, all to the same run of rclone.
final class LoopbackConnections: Sendable {
    /// Unchecked: whoever took it alone uses it.
    struct Handle: @unchecked Sendable { let pointer: UnsafeMutableRawPointer }

    static let shared = LoopbackConnections()
    private static let most = 4
    private let idle = Mutex((process: CInt(-1), handles: [Handle]()))

    /// One for a request to this process; nil when libcurl has no memory.
    func take(for process: CInt) -> Handle? {
        let kept = idle.withLock { $0.process == process ? $0.handles.popLast() : nil }
        // Its connection stays.
        if let kept { curl_easy_reset(kept.pointer) }
        return kept ?? curl_easy_init().map(Handle.init)
    }

    /// The request was answered as a whole: the connection serves another one.
    func giveBack(_ handle: Handle, of process: CInt) {
        let surplus = idle.withLock { idle -> [Handle] in
            // Nobody listens to what an earlier run was asked.
            let former = idle.process == process ? [] : idle.handles
            if idle.process != process { idle = (process, []) }
            guard idle.handles.count < Self.most else { return former + [handle] }
            idle.handles.append(handle)
            return former
        }
        for handle in surplus { curl_easy_cleanup(handle.pointer) }
    }
}
