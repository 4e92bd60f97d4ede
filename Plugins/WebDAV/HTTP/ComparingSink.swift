import FileProvider
import Glibc
import HTTPTransport
import Synchronization

/// Compares a body with local content.
final class ComparingSink: HTTPSink {
    private let contents: ContentReader
    private let state = Mutex((position: 0, isSame: true))

    init(_ contents: ContentReader) { self.contents = contents }

    /// Whether all bytes have arrived and are the same.
    var isSame: Bool { state.withLock { $0.isSame && $0.position == contents.size } }

    /// Whether the bytes that have arrived are the same.
    var isBeginning: Bool { state.withLock { $0.isSame && $0.position <= contents.size } }

    func begin(_ reply: HTTPReply) { state.withLock { $0 = (0, true) } }

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            defer { state.position += bytes.count }
            guard state.isSame else { return }
            let own = try contents.read(at: state.position, count: bytes.count)
            state.isSame = own.elementsEqual(bytes)
        }
    }
}
