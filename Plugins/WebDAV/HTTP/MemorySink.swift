import FileProvider
import Synchronization

/// Keeps a small body in memory.
final class MemorySink: HTTPSink {
    private let limit: Int
    private let content = Mutex<[UInt8]>([])

    /// - Parameter limit: The most bytes to take.
    init(limit: Int) { self.limit = limit }

    /// What has come so far.
    var bytes: [UInt8] { content.withLock { $0 } }

    func begin(_ reply: HTTPReply) { content.withLock { $0 = [] } }

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        try content.withLock { content in
            guard content.count + bytes.count <= limit else {
                throw FileProviderError(.failed, "The server's answer is longer than \(limit) bytes.")
            }
            content.append(contentsOf: bytes)
        }
    }
}
