import FileProvider
import HTTPTransport
import Synchronization

/// Passes a part of a document on to the host as it arrives. An answer that is not exactly that part is refused before
/// any of it is passed on.
final class PartReceiver: RcloneRequest.Receiver {
    /// rclone does not send that part.
    struct NotInParts: Error {}

    private struct State {
        var status = 0
        var count = 0
        var refusal: [UInt8] = []
    }

    private let destination: PartialContentWriter
    private let range: Range<Int>
    private let total: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - range: The requested bytes, which are all within the document.
    ///   - total: The size of the document.
    init(_ destination: PartialContentWriter, _ range: Range<Int>, total: Int) {
        self.destination = destination
        self.range = range
        self.total = total
    }

    /// Whether all of the part was received.
    var isComplete: Bool { state.withLock { $0.count == range.count } }

    /// The error that rclone sent instead of content; nil before it has answered, too.
    var refusal: RemoteFailure? {
        state.withLock { state in
            [0, 200, 206].contains(state.status)
                ? nil
                : RemoteFailure(status: state.status, text: RemoteSession.errorText(state.refusal, state.status))
        }
    }

    func begin(status: Int) throws { try begin(HTTPReply(status: status)) }

    func begin(_ reply: HTTPReply) throws {
        switch reply.status {
        case 206:
            guard let found = reply.contentRange, found.first == range.lowerBound, found.last == range.upperBound - 1
            else { throw NotInParts() }
            guard found.total == nil || found.total == total else { throw Self.changed }
        case 200:
            guard range.lowerBound == 0, range.count == total else { throw NotInParts() }
        default: break
        }
        state.withLock { $0 = State(status: reply.status) }
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        guard [200, 206].contains(state.withLock({ $0.status })) else {
            state.withLock { if $0.refusal.count < 64 << 10 { $0.refusal.append(contentsOf: bytes) } }
            return
        }
        let count = state.withLock { state in
            state.count += bytes.count
            return state.count
        }
        guard count <= range.count else { throw Self.changed }
        try destination.writeBlocking(bytes)
    }

    private static let changed = FileProviderError(
        .versionOutOfDate, "The document was changed while a part of it was being fetched.")
}
