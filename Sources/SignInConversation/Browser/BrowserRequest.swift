/// What a browser sent to the loopback address. Pure.
enum BrowserRequest: Equatable {
    /// Its head has not ended yet.
    case incomplete
    /// The browser was sent back: the target, which begins with `/?`.
    case answer(String)
    /// Something else that browsers ask for by themselves, such as an icon.
    case other
    /// No request of HTTP, or one that is too long.
    case malformed

    /// How long a head may be, in bytes.
    static let longest = 16 << 10

    /// Reads what has come so far.
    init(_ bytes: [UInt8]) {
        let end = Array("\r\n\r\n".utf8)
        guard let head = bytes.firstRange(of: end)?.lowerBound else {
            self = bytes.count >= Self.longest ? .malformed : .incomplete
            return
        }
        guard head <= Self.longest else {
            self = .malformed
            return
        }
        let line = bytes[..<head].prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, words[2].starts(with: Array("HTTP/1.".utf8)),
            words[1].allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            self = .malformed
            return
        }
        let target = String(decoding: words[1], as: UTF8.self)
        let isAnswer =
            words[0].elementsEqual("GET".utf8) && target.hasPrefix("/?") && target.utf8.count > 2
        self = isAnswer ? .answer(target) : .other
    }

    /// What is sent back; empty while nothing is.
    var response: String {
        switch self {
        case .incomplete: ""
        case .answer:
            Self.response(
                "200 OK",
                "The answer has gone to docent. Its terminal says whether you are signed in now; you can close this page."
            )
        case .other: Self.response("404 Not Found", "There is nothing here.")
        case .malformed: Self.response("400 Bad Request", "This is no request.")
        }
    }

    private static func response(_ status: String, _ text: String) -> String {
        let page =
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Docent</title><p>\(text)</p></html>\n"
        let fields = [
            "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8",
            "Content-Length: \(page.utf8.count)",
            "Cache-Control: no-store", "Content-Security-Policy: default-src 'none'",
            "Referrer-Policy: no-referrer",
            "X-Content-Type-Options: nosniff", "Connection: close",
        ]
        return fields.joined(separator: "\r\n") + "\r\n\r\n" + page
    }
}
