import FileProvider
import HTTPTransport
import Synchronization

/// Keeps the body of a reply in memory, up to a limit.
final class BytesSink: HTTPSink {
    private let limit: Int
    private let state = Mutex<[UInt8]>([])

    init(limit: Int) { self.limit = limit }

    var bytes: [UInt8] { state.withLock { $0 } }

    func begin(_ reply: HTTPReply) throws {
        state.withLock { bytes in
            bytes = []
            bytes.reserveCapacity(min(reply.contentLength ?? 0, limit))
        }
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        let fits = state.withLock { kept in
            guard kept.count + bytes.count <= limit else { return false }
            kept += bytes
            return true
        }
        guard fits else { throw FileProviderError(.failed, "An object is larger than any of a drive.") }
    }
}
