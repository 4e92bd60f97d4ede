import HTTPTransport

/// The token of a lock in the form that is sent, with angle brackets.
enum LockToken {
    /// Reads the token from an answer to LOCK.
    ///
    /// The header field should have brackets, but some servers (ASGIWebDAV) omit them. The body contains the token too,
    /// in case there is no header field.
    ///
    /// - Returns: nil if neither contains a token.
    static func read(header: String?, body: [UInt8]) -> String? {
        header.flatMap(bracketed) ?? LockDescription.all(in: body).first?.token
    }

    /// A token with its brackets; nil for an invalid token.
    static func bracketed(_ text: some StringProtocol) -> String? {
        var rest = text.trimmed
        if rest.hasPrefix("<"), rest.hasSuffix(">"), rest.utf8.count > 2 { rest = rest.dropFirst().dropLast() }
        guard !rest.isEmpty, rest.utf8.count <= 1_000,
            rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") })
        else { return nil }
        return "<\(rest)>"
    }
}
