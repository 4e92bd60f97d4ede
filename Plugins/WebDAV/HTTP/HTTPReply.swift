/// The head of a reply.
struct HTTPReply: Sendable, Equatable {
    /// The status, for example 207.
    var status = 0
    /// The header fields by their names in lower case; repeated ones are joined by a comma.
    var headers: [String: String] = [:]
    /// Where the reply sends the client, absolute.
    var redirect: String?
    /// Where the reply came from, redirects followed.
    var url = ""

    /// Whether the status is one of success.
    var isSuccess: Bool { (200...299).contains(status) }

    /// Whether the server leads to another address, for good or for now.
    var isRedirect: Bool { redirect != nil && [301, 302, 307, 308].contains(status) }

    /// Whether it leads there for good, so that the new address takes the place of the old one.
    var isMovedForGood: Bool { redirect != nil && [301, 308].contains(status) }

    /// A header field by its name in lower case.
    subscript(name: String) -> String? { headers[name] }

    /// Adds a line of the head. A line with a status begins anew: interim replies and challenges come before.
    mutating func take(line: some StringProtocol) {
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

    /// The size that was declared, in bytes.
    var contentLength: Int? { self["content-length"].flatMap(Int.init).flatMap { $0 >= 0 ? $0 : nil } }

    /// Which part of how much a 206 has.
    var contentRange: (first: Int, total: Int?)? {
        guard let text = self["content-range"], text.hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let first = parts[0].split(separator: "-").first.flatMap({ Int($0) }), first >= 0 else {
            return nil
        }
        return (first, Int(parts[1]))
    }
}

extension StringProtocol {
    /// Without white space at both ends.
    var trimmed: SubSequence {
        var text = self[...]
        while let last = text.last, last.isWhitespace { text = text.dropLast() }
        return text.drop { $0.isWhitespace }
    }
}
