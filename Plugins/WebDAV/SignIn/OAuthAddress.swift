import FileProvider
import HTTPTransport

/// Addresses of an identity server. They come from the user or from another server, and some of them receive secrets.
enum OAuthAddress {
    /// Checks that secrets may be sent to an address: it uses https, or http to this machine.
    ///
    /// - Parameter what: The name of the address in the error, for example "token endpoint".
    /// - Throws: `FileProviderError` with `invalidArgument` that says what is wrong with the address.
    static func check(_ url: String, _ what: String) throws -> String {
        let text = String(url.trimmed)
        let isClean = text.utf8.count <= 4_000 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }
        guard isClean, let origin = Redirect.origin(of: text), !text.contains("#") else {
            throw FileProviderError(.invalidArgument, "The \(what) is not an http or https address.")
        }
        guard origin.hasPrefix("https://") || isLoopback(text) else {
            throw FileProviderError(
                .invalidArgument, "The \(what) (\(origin)) is not protected by https; nothing secret is sent there.")
        }
        return text
    }

    /// Whether the host is this machine, whatever DNS says.
    static func isLoopback(_ url: String) -> Bool {
        guard let origin = Redirect.origin(of: url), let start = origin.firstRange(of: "://") else { return false }
        var host = origin[start.upperBound...]
        if let colon = host.lastIndex(of: ":") { host = host[..<colon] }
        if host == "localhost" || host == "[::1]" || host.hasPrefix("[::1]:") { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// The addresses where an identity server may describe itself (RFC 8414, then OpenID Connect Discovery), in the
    /// order of requests.
    static func descriptions(of issuer: String) -> [String] {
        let parts = split(issuer)
        let root = parts.origin + "/.well-known/"
        let candidates = [
            root + "oauth-authorization-server" + parts.path,
            parts.origin + parts.path + "/.well-known/openid-configuration",
            root + "openid-configuration" + parts.path,
        ]
        var seen: Set<String> = []
        return candidates.filter { seen.insert($0).inserted }
    }

    /// The address where a server may name its identity server, if its challenge does not (RFC 9728).
    static func resourceDescription(of url: String) -> String {
        split(url).origin + "/.well-known/oauth-protected-resource"
    }

    /// Whether two addresses are equal, apart from a slash at the end, which users often omit.
    static func isSame(_ left: String, _ right: String) -> Bool {
        func bare(_ text: String) -> Substring { text.hasSuffix("/") ? text.dropLast() : text[...] }
        return bare(left) == bare(right)
    }

    /// Encodes a query.
    static func query(_ values: [(name: String, value: String)]) -> String {
        values.map { SegmentEncoding.encode($0.name.utf8) + "=" + SegmentEncoding.encode($0.value.utf8) }
            .joined(separator: "&")
    }

    /// An address with values added to its query.
    static func adding(_ values: [(name: String, value: String)], to url: String) -> String {
        url + (url.contains("?") ? "&" : "?") + query(values)
    }

    /// The values in an address's query; nil if a name occurs twice.
    static func values(of url: String) -> [String: String]? {
        guard let start = url.firstIndex(of: "?") else { return [:] }
        var result: [String: String] = [:]
        for part in url[url.index(after: start)...].prefix(while: { $0 != "#" }).split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = decode(pair[0])
            guard result[name] == nil else { return nil }
            result[name] = pair.count > 1 ? decode(pair[1]) : ""
        }
        return result
    }

    private static func decode(_ text: Substring) -> String {
        String(decoding: SegmentEncoding.decode(text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }), as: UTF8.self)
    }

    private static func split(_ url: String) -> (origin: String, path: String) {
        guard let scheme = url.firstRange(of: "://") else { return (url, "") }
        let rest = url[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        var path = rest.dropFirst(authority.count).prefix { $0 != "?" && $0 != "#" }
        while path.hasSuffix("/") { path = path.dropLast() }
        return (String(url[..<scheme.upperBound]) + authority, String(path))
    }
}
