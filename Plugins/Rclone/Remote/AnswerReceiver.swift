import FileProvider
import Synchronization

/// Keeps an answer in memory.
final class AnswerReceiver: RcloneRequest.Receiver {
    private static let limit = 256 << 20
    private let content = Mutex<[UInt8]>([])

    /// The bytes received so far.
    var bytes: [UInt8] { content.withLock { $0 } }

    func begin(status: Int) {}

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        try content.withLock { content in
            guard content.count + bytes.count <= Self.limit else {
                throw FileProviderError(.failed, "The folder is too large: its list has more than \(Self.limit) bytes.")
            }
            content.append(contentsOf: bytes)
        }
    }
}
