import FileProvider
import HTTPTransport
import Synchronization

/// Keeps a small body in memory.
final class MemorySink: HTTPSink {
    private let limit: Int
    private let content = Mutex<[UInt8]>([])
    private let overflow = Atomic(false)

    /// - Parameter limit: The maximum number of bytes.
    init(limit: Int) { self.limit = limit }

    /// The bytes received so far.
    var bytes: [UInt8] { content.withLock { $0 } }

    /// Whether more bytes arrived than the limit allows.
    var isTooLong: Bool { overflow.load(ordering: .relaxed) }

    func begin(_ reply: HTTPReply) { content.withLock { $0 = [] } }

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        try content.withLock { content in
            guard content.count + bytes.count <= limit else {
                overflow.store(true, ordering: .relaxed)
                throw FileProviderError(.failed, "The server's answer is longer than \(limit) bytes.")
            }
            content.append(contentsOf: bytes)
        }
    }
}
