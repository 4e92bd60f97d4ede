import CCurl
import FileProvider
import HTTPTransport

/// One request to rclone and its reply. The caller's receiver takes the body of the reply.
struct RcloneRequest: Sendable {
    /// Takes the reply. Called on the thread of the request.
    protocol Receiver: Sendable {
        /// Takes the status, before the first bytes of the body.
        func begin(status: Int) throws
        /// Takes the whole head instead. By default only the status counts.
        func begin(_ reply: HTTPReply) throws
        func take(_ bytes: UnsafeRawBufferPointer) throws
    }

    private struct Sink: HTTPSink {
        let receiver: any Receiver
        func begin(_ reply: HTTPReply) throws { try receiver.begin(reply) }
        func take(_ bytes: UnsafeRawBufferPointer) throws { try receiver.take(bytes) }
    }

    private let endpoint: RcloneService.Endpoint
    private let request: HTTPRequest
    private let receiver: any Receiver

    /// - Parameters:
    ///   - path: The path after the host, percent-encoded.
    ///   - body: The JSON to post; nil to get a document.
    ///   - offset: The first byte of the document to get.
    ///   - end: The byte after the last one to get; nil for the end of the document.
    ///   - patience: The seconds without a byte after which the request is given up.
    init(
        to endpoint: RcloneService.Endpoint, path: String, body: [UInt8]?, offset: Int = 0, end: Int? = nil,
        patience: Int, into receiver: any Receiver
    ) {
        self.endpoint = endpoint
        self.receiver = receiver
        var request = HTTPRequest(body == nil ? "GET" : "POST", "http://127.0.0.1:\(endpoint.port)/\(path)")
        request.headers = [("Content-Type", "application/json"), ("Accept-Encoding", "identity")]
        if let body {
            request.body = .bytes(body)
        } else if offset > 0 || end != nil {
            request.headers.append(("Range", "bytes=\(offset)-" + (end.map { "\($0 - 1)" } ?? "")))
        }
        request.patience = patience
        request.wantsErrorBody = true
        self.request = request
    }

    /// Sends the request and waits for the whole reply.
    ///
    /// - Returns: The status.
    /// - Throws: `FileProviderError` when there is no whole reply; `CancellationError`; what the receiver throws.
    func perform() async throws -> Int {
        try Task.checkCancellation()
        let process = endpoint.process
        let handle = try RcloneConnections.shared.take(for: process.identifier)
        // When rclone has ended, the call would wait in the listening socket, so it is given up.
        let control = HTTPControl { process.hasEnded }
        do {
            let reply = try await HTTPExchange.perform(
                request, on: handle,
                as: HTTPAuthorization(
                    .password(username: endpoint.username, password: endpoint.password, .basic)),
                control: control, into: Sink(receiver: receiver)
            ).reply
            if !process.hasEnded { RcloneConnections.shared.giveBack(handle, of: process.identifier) }
            return reply.status
        } catch let error as HTTPTransportError {
            // The connection is closed a moment before the end of its process is known.
            let canBeEnd = error.code != CURLE_OPERATION_TIMEDOUT
            for _ in 0..<50 where canBeEnd && !process.hasEnded { try await Task.sleep(for: .milliseconds(20)) }
            throw failure(error)
        }
    }

    private func failure(_ error: HTTPTransportError) -> FileProviderError {
        let detail = ErrorDetail(
            domain: "libcurl", code: Int(error.code.rawValue), text: String(cString: curl_easy_strerror(error.code)))
        var failure = FileProviderError(
            .serverUnreachable, "rclone sent an incomplete answer. Try again later.")
        if endpoint.process.hasEnded { failure = endpoint.process.end }
        failure.underlying = [detail]
        return failure
    }
}

extension RcloneRequest.Receiver {
    func begin(_ reply: HTTPReply) throws { try begin(status: reply.status) }
}
