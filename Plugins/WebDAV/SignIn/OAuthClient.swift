import FileProvider
import HTTPTransport

/// Sends requests to identity servers. Redirects are not followed, because requests contain secrets and answers are
/// trusted by their address. Safe to use from any task.
struct OAuthClient: Sendable {
    /// The longest answer, in bytes.
    static let maximumReply = 256 << 10

    /// How this client identifies itself, with a secret if the identity server gave it one.
    struct Identity: Sendable {
        var identifier: String
        var secret: String?
        /// Whether the secret is sent in the body, not in the head.
        var isPosted = false
    }

    private let client: HTTPClient
    private let patience: Duration

    /// - Parameters:
    ///   - certificateAuthority: Certificates in PEM that are trusted instead of the system's.
    ///   - patience: The maximum time for a whole answer.
    init(certificateAuthority: String?, patience: Duration = .seconds(60)) {
        client = HTTPClient(certificateAuthority: certificateAuthority)
        self.patience = patience
    }

    /// Gets a description.
    func get(_ url: String) async throws -> OAuthReply {
        var request = HTTPRequest("GET", url)
        request.headers = [("Accept", "application/json")]
        return try await perform(request)
    }

    /// Sends a form with the client's identity.
    func post(_ values: [(name: String, value: String)], to url: String, as identity: Identity) async throws
        -> OAuthReply
    {
        var request = HTTPRequest("POST", url)
        request.headers = [("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded")]
        var values = values
        if let secret = identity.secret, !identity.isPosted {
            let pair = [identity.identifier, secret].map { SegmentEncoding.encode($0.utf8) }.joined(separator: ":")
            request.headers.append(("Authorization", "Basic " + Base64.encode(Array(pair.utf8))))
        } else {
            values.append(("client_id", identity.identifier))
            if let secret = identity.secret { values.append(("client_secret", secret)) }
        }
        request.body = .bytes(Array(OAuthAddress.query(values).utf8))
        request.repetition = .never
        return try await perform(request)
    }

    private func perform(_ template: HTTPRequest) async throws -> OAuthReply {
        var request = template
        request.followsRedirects = false
        request.wantsErrorBody = true
        request.patience = 30
        let sink = MemorySink(limit: Self.maximumReply)
        let control = HTTPControl()
        let timer = Task { [patience] in
            try await Task.sleep(for: patience)
            control.cancel()
        }
        defer { timer.cancel() }
        let origin = Redirect.origin(of: request.url) ?? "The identity server"
        let reply: HTTPReply
        do {
            reply = try await client.perform(request, into: sink, control: control)
        } catch is CancellationError {
            try Task.checkCancellation()
            throw FileProviderError(
                .serverUnreachable, "\(origin) did not answer within \(patience). Try again later.")
        } catch let error as FileProviderError where sink.isTooLong {
            throw FileProviderError(
                .serverUnreachable, "\(origin) does not answer like an identity server: \(error.message)")
        }
        guard !(300...399).contains(reply.status) else {
            let target = reply.redirect.flatMap(Redirect.origin) ?? "another place"
            throw FileProviderError(
                .failed,
                "\(origin) redirects to \(target). Nothing was sent there; if you trust it, give its address as the "
                    + "issuer.")
        }
        return OAuthReply(status: reply.status, body: sink.bytes)
    }
}
