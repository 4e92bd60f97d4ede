import FileProvider
import Synchronization

/// Writes a document to its destination as it arrives.
final class ContentReceiver: RcloneRequest.Receiver {
    private struct State {
        var status = 0
        var position = 0
        var refusal: [UInt8] = []
    }

    private let destination: ContentWriter
    private let start: Int
    private let total: Int?
    private let progress: TransferProgress
    private let state = Mutex(State())

    /// - Parameter start: The first byte that was requested.
    init(_ destination: ContentWriter, from start: Int, total: Int?, progress: TransferProgress) {
        self.destination = destination
        self.start = start
        self.total = total
        self.progress = progress
    }

    /// The number of bytes present, counted from the start of the content.
    var position: Int { state.withLock { $0.position } }

    /// The error that rclone sent instead of content.
    var refusal: RemoteFailure? {
        state.withLock { state in
            [200, 206].contains(state.status)
                ? nil
                : RemoteFailure(status: state.status, text: RemoteSession.errorText(state.refusal, state.status))
        }
    }

    func begin(status: Int) throws {
        let beginning = status == 206 ? start : 0
        if status == 200 || status == 206 { try destination.begin(at: beginning) }
        state.withLock { $0 = State(status: status, position: beginning) }
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        let (status, position) = state.withLock { ($0.status, $0.position) }
        guard status == 200 || status == 206 else {
            state.withLock { if $0.refusal.count < 64 << 10 { $0.refusal.append(contentsOf: bytes) } }
            return
        }
        guard total.map({ position + bytes.count <= $0 }) ?? true else {
            throw FileProviderError(.busy, "The document became longer while it was being fetched.")
        }
        try destination.write(bytes)
        state.withLock { $0.position += bytes.count }
        progress.note(completed: position + bytes.count, total: total)
    }
}
