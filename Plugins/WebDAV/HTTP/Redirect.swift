/// Where a redirect may lead.
enum Redirect {
    /// Whether the credentials may be sent along: to the same scheme, host and port, or from http to https of the host.
    static func isAllowed(from source: String, to target: String) -> Bool {
        guard let from = parts(source), let to = parts(target), from.host == to.host else { return false }
        if from.scheme == to.scheme { return from.port == to.port }
        return from.scheme == "http" && to.scheme == "https"
    }

    /// Scheme, host and port, without anything else that might be secret.
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
