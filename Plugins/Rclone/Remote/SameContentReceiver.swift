import FileProvider
import Synchronization

/// Compares a document with local content.
final class SameContentReceiver: RcloneRequest.Receiver {
    private struct Different: Error {}
    private let contents: ContentReader
    private let state = Mutex((position: 0, differs: false))

    init(_ contents: ContentReader) { self.contents = contents }

    /// Whether all bytes have arrived and are the same.
    var isSame: Bool { state.withLock { !$0.differs && $0.position == contents.size } }

    func begin(status: Int) { state.withLock { $0.differs = status != 200 } }

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            let own = try contents.read(at: state.position, count: bytes.count)
            state.differs = state.differs || !own.elementsEqual(bytes)
            state.position += bytes.count
            // The rest is not needed.
            if state.differs { throw FileProviderError(wrapping: Different()) }
        }
    }
}
