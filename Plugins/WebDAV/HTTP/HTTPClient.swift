import FileProvider
import HTTPTransport
import Synchronization

/// Sends requests to one server on separate threads, with up to eight small requests and eight transfers at a time.
/// Safe to use from any task.
final class HTTPClient: Sendable {
    private let questions = HandlePool(limit: 8)
    private let documents = HandlePool(limit: 8)
    private let identity: Mutex<HTTPIdentity>

    init(certificateAuthority: String?) {
        identity = Mutex(HTTPIdentity(certificateAuthority: certificateAuthority))
    }

    /// Sets the secret for all later requests.
    func authenticate(with secret: HTTPIdentity.Secret) {
        let former = identity.withLock { identity in
            defer {
                identity.secret = secret
                identity.scheme = .unknown
            }
            return identity.secret
        }
        // A client that only signs out leaves the session usable: a later instance of the domain may continue it.
        if case .session(let old) = former {
            switch secret {
            case .none: break
            case .session(let new) where new === old: break
            case .session, .password, .token: old.retire()
            }
        }
    }

    /// Whether the client sends a token, not a password.
    var showsToken: Bool {
        switch identity.withLock({ $0.secret }) {
        case .token, .session: true
        case .none, .password: false
        }
    }

    /// Whether the client has no secret.
    var isAnonymous: Bool { if case .none = identity.withLock({ $0.secret }) { true } else { false } }

    /// Sends a request and waits for the whole reply. Follows redirects within the server. With credentials, scheme,
    /// host and port have to stay the same.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - sink: Takes the body of the reply.
    ///   - control: Counts the bytes.
    /// - Returns: The head of the reply, whatever its status.
    /// - Throws: `FileProviderError` when there is no whole reply; `CancellationError`; what the sink throws.
    func perform(
        _ request: HTTPRequest, into sink: any HTTPSink = NoSink(), control: HTTPControl = HTTPControl()
    ) async throws -> HTTPReply {
        var request = request
        for _ in 0...5 {
            let reply = try await send(request, sink, control)
            guard request.followsRedirects, reply.isRedirect, let target = reply.redirect else { return reply }
            guard Redirect.isAllowed(from: request.url, to: target, isAnonymous: isAnonymous) else {
                throw HTTPFailure.error(redirect: reply)
            }
            request.url = target
        }
        throw FileProviderError(.failed, "The server redirects in a circle. Check the address of the domain.")
    }

    private func send(_ request: HTTPRequest, _ sink: any HTTPSink, _ control: HTTPControl) async throws -> HTTPReply {
        var identity = identity.withLock { $0 }
        guard case .session(let session) = identity.secret else {
            return try await exchange(request, as: identity, sink, control)
        }
        let token = try await session.token()
        identity.secret = .token(token)
        let reply = try await exchange(request, as: identity, sink, control)
        guard reply.status == 401 else {
            session.wasTaken(token)
            return reply
        }
        guard let other = try await session.token(insteadOf: token) else { return reply }
        identity.secret = .token(other)
        control.restart()
        let second = try await exchange(request, as: identity, sink, control)
        if second.status != 401 { session.wasTaken(other) }
        return second
    }

    private func exchange(
        _ request: HTTPRequest, as identity: HTTPIdentity, _ sink: any HTTPSink, _ control: HTTPControl
    ) async throws -> HTTPReply {
        var request = request
        request.userAgent = "docent-webdav/1"
        let (named, authorization) = (request, identity.authorization)
        let result: (reply: HTTPReply, challenge: Int)
        do {
            result = try await (request.isTransfer ? documents : questions).with { handle in
                try await HTTPExchange.perform(named, on: handle, as: authorization, control: control, into: sink)
            }
        } catch let error as HTTPTransportError {
            throw HTTPFailure.error(
                transport: error.code, text: error.text, systemError: error.systemError, url: error.url)
        }
        if result.challenge != 0 { learn(result.challenge) }
        return result.reply
    }

    private func learn(_ challenge: Int) {
        guard let scheme = HTTPAuthorization.scheme(of: challenge) else { return }
        identity.withLock { $0.scheme = scheme }
    }
}
