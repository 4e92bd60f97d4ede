import FileProvider
import HTTPTransport
import Synchronization

/// Passes the requested part of a document on to the host as it arrives. A reply that is not exactly that part is
/// refused before any of it is passed on, and its transfer is cut off.
final class PartSink: HTTPSink {
    private let request: PartRequest
    private let destination: PartialContentWriter
    private let state = Mutex((part: PartRequest.Part?.none, count: 0))

    init(_ request: PartRequest, _ destination: PartialContentWriter) {
        self.request = request
        self.destination = destination
    }

    /// The part that the server announced; nil if it announced none.
    var part: PartRequest.Part? { state.withLock { $0.part } }

    /// Whether all of the announced part was received.
    var isComplete: Bool { state.withLock { $0.part?.count == $0.count } }

    func begin(_ reply: HTTPReply) throws {
        guard reply.isSuccess else { return }
        let part = try request.part(in: reply)
        state.withLock { $0 = (part, 0) }
        // The head of the reply has shown it.
        destination.confirm(request.version)
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        let isExpected = state.withLock { state in
            state.count += bytes.count
            return state.part.map { state.count <= $0.count } ?? false
        }
        guard isExpected else {
            throw FileProviderError(.failed, "The server sent more bytes than it announced. Try again later.")
        }
        try destination.writeBlocking(bytes)
    }
}
