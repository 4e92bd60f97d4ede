import CCurl
import FileProvider
import HTTPTransport

/// One request to rclone and its reply. The body of the reply goes where the caller says.
struct RcloneRequest: Sendable {
    /// Takes the reply; called on the thread of the request.
    protocol Receiver: Sendable {
        /// The status, before the first bytes of the body.
        func begin(status: Int) throws
        func take(_ bytes: UnsafeRawBufferPointer) throws
    }

    private struct Sink: HTTPSink {
        let receiver: any Receiver
        func begin(_ reply: HTTPReply) throws { try receiver.begin(status: reply.status) }
        func take(_ bytes: UnsafeRawBufferPointer) throws { try receiver.take(bytes) }
    }

    private let endpoint: RcloneService.Endpoint
    private let request: HTTPRequest
    private let receiver: any Receiver

    /// - Parameters:
    ///   - path: percent-encoded, after the host.
    ///   - body: JSON to be posted; nil: a document is asked for,
    ///   - offset: from that byte on.
    ///   - patience: seconds without a byte after which it is given up.
    init(
        to endpoint: RcloneService.Endpoint, path: String, body: [UInt8]?, offset: Int = 0, patience: Int,
        into receiver: any Receiver
    ) {
        self.endpoint = endpoint
        self.receiver = receiver
        var request = HTTPRequest(body == nil ? "GET" : "POST", "http://127.0.0.1:\(endpoint.port)/\(path)")
        request.headers = [("Content-Type", "application/json"), ("Accept-Encoding", "identity")]
        if let body {
            request.body = .bytes(body)
        } else if offset > 0 {
            request.headers.append(("Range", "bytes=\(offset)-"))
        }
        request.patience = patience
        request.wantsErrorBody = true
        self.request = request
    }

    /// Sends it and waits for the whole reply.
    ///
    /// - Returns: The status.
    /// - Throws: `FileProviderError` when there is no whole reply; `CancellationError`; what the receiver throws.
    func perform() async throws -> Int {
        try Task.checkCancellation()
        let process = endpoint.process
        let handle = try RcloneConnections.shared.take(for: process.identifier)
        // A call that nobody takes any more waits in the socket: it is given up with the process.
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
            throw failure(error)
        }
    }

    private func failure(_ error: HTTPTransportError) -> FileProviderError {
        let detail = ErrorDetail(
            domain: "libcurl", code: Int(error.code.rawValue), text: String(cString: curl_easy_strerror(error.code)))
        var failure = FileProviderError(.serverUnreachable, "rclone gave no whole answer. It is asked again.")
        if endpoint.process.hasEnded { failure = endpoint.process.end }
        failure.underlying = [detail]
        return failure
    }
}
