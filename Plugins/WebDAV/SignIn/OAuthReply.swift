import FileProvider
import FoundationEssentials
import HTTPTransport

/// A complete answer of an identity server. Its body may contain secrets, so it is never part of an error.
struct OAuthReply: Sendable {
    let status: Int
    let body: [UInt8]

    /// The codes that explain a refusal (RFC 6749 5.2, RFC 8628 3.5).
    struct Refusal: Decodable {
        var error: String
        var error_description: String?
    }

    /// The answer as JSON.
    ///
    /// - Throws: `FileProviderError` with `serverUnreachable` for an unexpected answer, because another attempt may
    ///   succeed.
    func decoded<Value: Decodable>(_: Value.Type, _ what: String) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(body))
        } catch {
            throw FileProviderError(
                .serverUnreachable,
                "The identity server's \(what) is not valid. Check the address (issuer).",
                underlying: [detail])
        }
    }

    /// The reason for the refusal; nil if there is none.
    var refusal: Refusal? {
        guard !(200...299).contains(status) else { return nil }
        return try? JSONDecoder().decode(Refusal.self, from: Data(body))
    }

    /// The status of the answer.
    var detail: ErrorDetail {
        ErrorDetail(domain: "HTTP", code: status, text: "The identity server answered \(status).")
    }

    /// The error that explains a refusal to the user.
    ///
    /// - Parameter what: The request, as the object of "did not".
    func error(cannot what: String) -> FileProviderError {
        var details = [detail]
        guard let refusal else {
            let isTemporary = status >= 500 || [408, 425, 429].contains(status)
            return FileProviderError(
                isTemporary ? .serverUnreachable : .failed,
                "The identity server did not \(what): it answered \(status)."
                    + (isTemporary ? " Try again later." : " Check the address (issuer)."), underlying: details)
        }
        let reason = Self.plain(refusal.error_description) ?? Self.plain(refusal.error) ?? "no reason given"
        details.append(ErrorDetail(domain: "OAuth", code: status, text: Self.plain(refusal.error) ?? ""))
        switch refusal.error {
        case "invalid_grant":
            return FileProviderError(
                .notAuthenticated, "The sign-in has expired or was revoked (\(reason)). Sign in again.",
                underlying: details)
        case "access_denied":
            return FileProviderError(.notAuthenticated, "The sign-in was refused (\(reason)).", underlying: details)
        case "expired_token":
            return FileProviderError(
                .notAuthenticated, "The code was not entered in time (\(reason)). Sign in again.", underlying: details)
        case "invalid_client", "unauthorized_client":
            return FileProviderError(
                .notAuthenticated,
                "The identity server does not know this client (\(reason)). Check the client identifier.",
                underlying: details)
        case "temporarily_unavailable", "server_error", "slow_down":
            return FileProviderError(
                .serverUnreachable, "The identity server cannot \(what) now (\(reason)). Try again later.",
                underlying: details)
        default:
            return FileProviderError(
                .failed, "The identity server did not \(what): \(reason). Check the client identifier and the scope.",
                underlying: details)
        }
    }

    /// Makes a server's text safe to show: one short line without control characters.
    static func plain(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        let clean = text.unicodeScalars.filter {
            $0.value >= 0x20 && $0.value != 0x7F && !(0x80...0x9F).contains($0.value)
        }
        let line = String(String.UnicodeScalarView(clean)).trimmed.prefix(200)
        return line.isEmpty ? nil : String(line)
    }
}
