/// A browser's request to the loopback address. Pure.
enum BrowserRequest: Equatable {
    /// The head has not ended yet.
    case incomplete
    /// The browser was redirected back. The value is the target, which begins with `/?`.
    case answer(String)
    /// Another request that browsers make by themselves, for example for an icon.
    case other
    /// Not an HTTP request, or too long.
    case malformed

    /// The most bytes in a head.
    static let longest = 16 << 10

    /// Parses what has arrived so far.
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

    /// The response; empty as long as there is none.
    var response: String {
        switch self {
        case .incomplete: ""
        case .answer:
            Self.response(
                "200 OK",
                "docent got the answer. Its terminal says whether you are signed in now; you can close this page."
            )
        case .other: Self.response("404 Not Found", "There is nothing here.")
        case .malformed: Self.response("400 Bad Request", "This is not a valid request.")
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
