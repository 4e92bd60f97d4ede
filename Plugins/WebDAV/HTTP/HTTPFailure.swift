import CCurl
import FileProvider
import FoundationEssentials
import HTTPTransport

/// Translates failures of HTTP into errors of a provider.
enum HTTPFailure {
    /// The error when libcurl got no whole reply.
    static func error(transport code: CURLcode, text: String, systemError: Int, url: String) -> FileProviderError {
        let name = Redirect.origin(of: url) ?? "the server"
        let reason = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
        let details = [ErrorDetail(domain: transportDomain, code: Int(code.rawValue), text: reason)]
        let certificates: [CURLcode] = [
            CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
            CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE,
        ]
        if code == CURLE_SSL_CONNECT_ERROR, isPlainAnswer(reason) {
            return FileProviderError(
                .failed,
                "\(name) does not answer with TLS. To reach it without TLS, begin its address with http://; otherwise "
                    + "check the port.", underlying: details)
        }
        if certificates.contains(code) || (code == CURLE_SSL_CONNECT_ERROR && systemError == 0) {
            return FileProviderError(
                .failed,
                "The identity of \(name) cannot be verified: \(reason). If its certificate comes from an authority of "
                    + "your own, give that to the domain with --certificate-authority.", underlying: details)
        }
        // For an http URL, this code means leftover bytes of a reply that was longer than declared. A new connection
        // has none.
        let isGarbled = code == CURLE_UNSUPPORTED_PROTOCOL && url.hasPrefix("http")
        switch code {
        case CURLE_URL_MALFORMAT,
            CURLE_UNSUPPORTED_PROTOCOL where !isGarbled:
            return FileProviderError(
                .invalidArgument, "The address \(name) cannot be used: \(reason). Check the url of the domain.",
                underlying: details)
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION:
            return FileProviderError(.failed, "libcurl failed: \(reason).", underlying: details)
        default:
            return FileProviderError(
                .serverUnreachable,
                "\(name) cannot be reached: \(reason).", underlying: details)
        }
    }

    /// Whether a kept connection was closed under a request whose repetition is left to the caller. The server may have
    /// received a part of it.
    static func isConnectionClosed(_ error: FileProviderError) -> Bool {
        error.underlying.contains {
            $0.domain == transportDomain && $0.code == Int(HTTPTransportError.connectionClosed.rawValue)
        }
    }

    private static let transportDomain = "CURLcode"

    // The messages of OpenSSL and GnuTLS for a peer that speaks another protocol.
    private static func isPlainAnswer(_ reason: String) -> Bool {
        let reason = reason.lowercased()
        return [
            "wrong version number", "unexpected tls packet", "packet length too long", "http request",
            "unknown protocol",
        ]
        .contains { reason.contains($0) }
    }

    /// The domain of the error detail that contains the address to which a server moved permanently.
    static let movedDomain = "org.docent.WebDAV.moved"

    /// The error for a redirect that is not followed.
    static func error(redirect reply: HTTPReply) -> FileProviderError {
        let target = reply.redirect ?? ""
        let place = Redirect.origin(of: target) ?? "a place without a name"
        guard Redirect.isProtecting(from: reply.url, to: target) else {
            return FileProviderError(
                .failed,
                "The server redirects to another place, \(place). Nothing was sent there; if you trust it, give its "
                    + "address to the domain.")
        }
        // The user has to sign in again, because the agreement includes the address.
        guard reply.isMovedForGood else {
            return FileProviderError(
                .notAuthenticated,
                "\(Redirect.origin(of: reply.url) ?? "The server") redirects to \(place) for now. No credentials "
                    + "were sent there, and that address is not kept. If it is the right one, sign in with it.")
        }
        return FileProviderError(
            .notAuthenticated,
            "\(Redirect.origin(of: reply.url) ?? "The server") has moved permanently to \(place). Sign in again: the "
                + "new address is then kept.",
            underlying: [ErrorDetail(domain: movedDomain, code: reply.status, text: target)])
    }

    /// The error when the server refused a request. Does not handle 404 and 410: their meaning needs another request
    /// first.
    ///
    /// - Parameters:
    ///   - reply: The answer of the server.
    ///   - what: What was requested, as the object of "cannot", for example `store "a.txt"`.
    ///   - isAnonymous: Whether the client has not signed in.
    ///   - showsToken: Whether the client sent a token, not a password.
    static func error(
        reply: HTTPReply, cannot what: String, isAnonymous: Bool, showsToken: Bool = false
    ) -> FileProviderError {
        let details = [ErrorDetail(domain: "HTTP", code: reply.status, text: "The server answered \(reply.status).")]
        let pause = retryAfter(reply["retry-after"], now: Date.now.timeIntervalSince1970)
        func error(_ code: FileProviderError.Code, _ text: String, retryAfter: Double? = nil) -> FileProviderError {
            FileProviderError(code, text, underlying: details, retryAfter: retryAfter)
        }
        switch reply.status {
        case 401, 407:
            return error(
                .notAuthenticated,
                isAnonymous
                    ? "The server requires a sign-in. Sign in to the domain."
                    : showsToken
                        ? "The server does not accept the token. Sign in to the domain again."
                        : "The server does not accept the user name and the password. Sign in to the domain again.")
        case 403: return error(.notPermitted, "The server does not let you \(what). Ask its owner for the right.")
        case 405, 501:
            return error(
                .notSupported, "The server cannot \(what) (\(reply.status)). Check that the url is a WebDAV address.")
        case 412:
            return error(
                .versionOutOfDate,
                "The server could not \(what): it was changed there meanwhile. Check what is there now.")
        case 413:
            return error(
                .insufficientQuota,
                "The server refuses to \(what): it is larger than the server accepts. Ask its owner for a higher limit."
            )
        case 507 where ["read ", "list ", "look ", "search "].contains(where: what.hasPrefix):
            return error(
                .serverUnreachable,
                "The server reports that it has no space (507), and did not \(what). \(whenToTry(pause))",
                retryAfter: pause
            )
        case 507:
            return error(
                .insufficientQuota,
                "The server has no space to \(what). Ask its owner for more, or move something away there.")
        case 414: return error(.invalidArgument, "The name is too long for the server. Choose a shorter one.")
        // 424: something inside the folder is locked.
        case 423, 424, 429, 503:
            return error(
                .busy, "The server is busy and cannot \(what) now (\(reply.status)). \(whenToTry(pause))",
                retryAfter: pause)
        case 408, 425, 500, 502, 504, 520...599:
            return error(
                .serverUnreachable, "The server failed to \(what) (\(reply.status)). \(whenToTry(pause))",
                retryAfter: pause)
        default:
            return error(
                .failed, "The server did not \(what): it answered \(reply.status). Check the url of the domain.")
        }
    }

    /// A sentence that says when to try again.
    private static func whenToTry(_ pause: Double?) -> String {
        guard let pause, pause >= 1 else { return "Try again later." }
        let seconds = Int(pause.rounded(.up))
        if seconds < 120 { return "It asks to wait for \(seconds) \(seconds == 1 ? "second" : "seconds")." }
        return "It asks to wait for \((seconds + 59) / 60) minutes."
    }

    /// The seconds to wait before the next attempt, at most a day. The server gives a number or a date.
    static func retryAfter(_ text: String?, now: Double) -> Double? {
        guard let text else { return nil }
        if let seconds = Double(text), seconds.isFinite, seconds >= 0 { return min(seconds, 86_400) }
        return HTTPDate.seconds(text).map { min(max(0, $0 - now), 86_400) }
    }
}
