/// The head of a reply.
package struct HTTPReply: Sendable, Equatable {
    /// The status, for example 207.
    package var status = 0
    /// The header fields by name in lower case. The values of repeated fields are joined with commas.
    package var headers: [String: String] = [:]
    /// The absolute URL to which the server redirects.
    package var redirect: String?
    /// The URL from which the reply came, after redirects.
    package var url = ""

    /// Makes a head, for tests or before the first line arrives.
    package init(status: Int = 0, headers: [String: String] = [:], redirect: String? = nil, url: String = "") {
        self.status = status
        self.headers = headers
        self.redirect = redirect
        self.url = url
    }

    /// Whether the status means success.
    package var isSuccess: Bool { (200...299).contains(status) }

    /// Whether the server redirects to another address, permanently or temporarily.
    package var isRedirect: Bool { redirect != nil && [301, 302, 307, 308].contains(status) }

    /// Whether the redirect is permanent, so that the new address replaces the old one.
    package var isMovedForGood: Bool { redirect != nil && [301, 308].contains(status) }

    /// A header field by its name in lower case.
    package subscript(name: String) -> String? { headers[name] }

    /// Adds a line of the head. A status line starts again, because interim replies and challenges come first.
    package mutating func take(line: some StringProtocol) {
        if line.hasPrefix("HTTP/") {
            let parts = line.split(separator: " ", maxSplits: 2)
            self = HTTPReply(status: parts.count > 1 ? Int(parts[1].prefix { $0.isNumber }) ?? 0 : 0)
            return
        }
        guard headers.count < 200, let colon = line.firstIndex(of: ":") else { return }
        let name = line[..<colon].lowercased()
        let value = String(line[line.index(after: colon)...].trimmed)
        headers[name] = headers[name].map { "\($0), \(value)" } ?? value
    }

    /// The declared size in bytes.
    package var contentLength: Int? { self["content-length"].flatMap(Int.init).flatMap { $0 >= 0 ? $0 : nil } }

    /// The first and the last byte of the part that a 206 contains, and the total size in bytes; what is not given is
    /// nil.
    package var contentRange: (first: Int, last: Int?, total: Int?)? {
        guard let text = self["content-range"], text.hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(separator: "/", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard let first = ends.first.flatMap({ Int($0) }), first >= 0 else { return nil }
        let total = Int(parts[1]).flatMap { $0 >= 0 ? $0 : nil }
        return (first, ends.count == 2 ? Int(ends[1]) : nil, total)
    }
}

extension StringProtocol {
    /// The text without white space at both ends.
    package var trimmed: SubSequence {
        var text = self[...]
        while let last = text.last, last.isWhitespace { text = text.dropLast() }
        return text.drop { $0.isWhitespace }
    }
}
