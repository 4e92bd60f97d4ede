import FileProvider

/// The error that rclone answered. Rclone has no error codes, so errors of its back ends are recognised by their text.
struct RemoteFailure: Error, Sendable {
    let status: Int
    let text: String

    private static let meanings: [(FileProviderError.Code, [String])] = [
        (.busy, ["didn't find section"]),
        (
            .notAuthenticated,
            [
                "401 unauthorized", "statuscode: 401", "error 401", "401 (401", "unauthorized", "invalid_grant",
                "token expired",
                "unable to authenticate", "authentication failed", "invalidaccesskeyid", "signaturedoesnotmatch",
                "login incorrect", "530 ", "invalid credentials", "nocredentialproviders", "empty token found",
            ]
        ),
        (
            .insufficientQuota,
            [
                "insufficient storage", "statuscode: 507", "no space left", "quota", "not enough space", "disk full",
                "entitytoolarge", "413 request entity", "file too large",
            ]
        ),
        (
            .busy,
            [
                "429 ", "too many requests", "ratelimit", "rate limit", "slowdown", "slow down", "503 service",
                "statuscode: 503", "423 locked", "temporarily unavailable",
            ]
        ),
        (
            .notPermitted,
            [
                "403 forbidden", "statuscode: 403", "error 403", "accessdenied", "access denied", "permission denied",
                "operation not permitted", "read-only file system", "read only",
            ]
        ),
        (.directoryNotEmpty, ["directory not empty", "isn't empty"]),
        (
            .noSuchItem,
            [
                "object not found", "directory not found", "no such file or directory", "404 not found",
                "statuscode: 404",
                "nosuchkey",
            ]
        ),
        (.filenameCollision, ["already exists", "file exists"]),
        (
            .invalidArgument,
            [
                "is a file not a directory", "file name too long", "invalid argument", "is a directory",
                "invalid character",
            ]
        ),
        (
            .notSupported,
            ["not supported", "optional feature not implemented", "not implemented", "can't move", "405 method"]
        ),
        (
            .serverUnreachable,
            [
                "connection refused", "no such host", "timeout", "timed out", "unreachable", "connection reset",
                "unexpected eof", ": eof", "broken pipe", "tls handshake", "deadline exceeded", "server misbehaving",
                "500 internal", "502 bad", "504 gateway", "statuscode: 50", "server closed", "no route to host",
                "dial tcp",
            ]
        ),
    ]

    /// The error in the form that the host expects.
    ///
    /// - Parameters:
    ///   - what: Completes "rclone cannot".
    ///   - hidden: Secrets, which must not appear in the error.
    ///   - names: Names in the request, which must not be mistaken for a part of the error.
    func providerError(cannot what: String, hiding hidden: [String], names: [String] = []) -> FileProviderError {
        var plain = text
        for secret in hidden where secret.utf8.count >= 4 { plain = plain.replacing(secret, with: "…") }
        // "report 401 Unauthorized.pdf" is a document.
        var bare = plain
        for name in names where !name.isEmpty { bare = bare.replacing(name, with: "…") }
        let words = bare.lowercased()
        let code = Self.meanings.first { _, phrases in phrases.contains(where: words.contains) }?.0 ?? .failed
        let sentence = "\(Self.explanation(code, what)): \(plain.prefix(600))"
        return FileProviderError(
            code, sentence, underlying: [ErrorDetail(domain: "rclone", code: status, text: String(plain.prefix(600)))],
            retryAfter: Self.seconds(in: words))
    }

    private static func explanation(_ code: FileProviderError.Code, _ what: String) -> String {
        switch code {
        case .notAuthenticated:
            "The service does not accept the domain's credentials; sign in again. rclone cannot \(what)"
        case .serverUnreachable: "The service cannot be reached. rclone cannot \(what)"
        case .busy: "The service is busy. rclone cannot \(what)"
        case .notPermitted: "The service does not let you \(what)"
        default: "rclone cannot \(what)"
        }
    }

    // "(retry after 30s)", "try again in 30 seconds".
    private static func seconds(in words: String) -> Double? {
        for phrase in ["retry after ", "retry-after: ", "try again in ", "trying again in "] {
            guard let range = words.firstRange(of: phrase) else { continue }
            let number = words[range.upperBound...].prefix { $0.isNumber || $0 == "." }
            if let seconds = Double(number), seconds.isFinite { return min(seconds, 86_400) }
        }
        return nil
    }
}
