import HTTPTransport

/// Decides which redirects are followed.
enum Redirect {
    /// Whether a redirect is followed: to the same scheme, host and port; without credentials also from http to https
    /// on the same host.
    ///
    /// Credentials stay at the address that was agreed at sign-in. If they followed to https, each later request would
    /// still begin at http, with the credentials in clear text.
    static func isAllowed(from source: String, to target: String, isAnonymous: Bool) -> Bool {
        guard let from = parts(source), let to = parts(target) else { return false }
        return from == to || (isAnonymous && isProtecting(from: source, to: target))
    }

    /// Whether a redirect leads from http to https on the same host, at any port.
    static func isProtecting(from source: String, to target: String) -> Bool {
        guard let from = parts(source), let to = parts(target) else { return false }
        return from.host == to.host && from.scheme == "http" && to.scheme == "https"
    }

    /// Scheme, host and port, without other parts that may be secret.
    static func origin(of url: String) -> String? {
        parts(url).map { "\($0.scheme)://\($0.host):\($0.port)" }
    }

    private static func parts(_ url: String) -> (scheme: String, host: String, port: Int)? {
        guard let colon = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<colon.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let authority = url[colon.upperBound...].prefix { !"/?#\\".contains($0) }
        guard !authority.contains("@") else { return nil }
        var host = authority[...]
        var port = scheme == "https" ? 443 : 80
        if let last = authority.lastIndex(of: ":"), !authority[last...].contains("]") {
            host = authority[..<last]
            guard let number = Int(authority[authority.index(after: last)...]) else { return nil }
            port = number
        }
        return host.isEmpty ? nil : (scheme, host.lowercased(), port)
    }
}
