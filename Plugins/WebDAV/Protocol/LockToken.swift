import HTTPTransport

/// The token of a lock, as it is sent: in angle brackets.
enum LockToken {
    /// Reads what a server answers to LOCK.
    ///
    /// The header field should have brackets; some servers (ASGIWebDAV) leave them out. Where there is no such field,
    /// the body has the token too.
    ///
    /// - Returns: nil where neither names a token.
    static func read(header: String?, body: [UInt8]) -> String? {
        header.flatMap(bracketed) ?? LockDescription.all(in: body).first?.token
    }

    /// A token with its brackets; nil for what cannot be one.
    static func bracketed(_ text: some StringProtocol) -> String? {
        var rest = text.trimmed
        if rest.hasPrefix("<"), rest.hasSuffix(">"), rest.utf8.count > 2 { rest = rest.dropFirst().dropLast() }
        guard !rest.isEmpty, rest.utf8.count <= 1_000,
            rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") })
        else { return nil }
        return "<\(rest)>"
    }
}
