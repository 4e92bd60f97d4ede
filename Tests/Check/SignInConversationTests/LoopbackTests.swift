import CommandConsole
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

@testable import SignInConversation

/// The address to which a browser is redirected (RFC 8252, 7.3).
@Suite(.mayBlock) struct LoopbackTests {
    private func request(_ text: String) -> BrowserRequest { BrowserRequest(Array(text.utf8)) }

    @Test("A request to / with a query is the answer, whatever it contains; no other request is")
    func requests() {
        #expect(request("GET /?code=a&state=b HTTP/1.1\r\nHost: h\r\n\r\n") == .answer("/?code=a&state=b"))
        #expect(request("GET /?error=access_denied HTTP/1.0\r\n\r\n") == .answer("/?error=access_denied"))
        for line in [
            "GET /favicon.ico HTTP/1.1", "GET / HTTP/1.1", "GET /? HTTP/1.1", "POST /?a=b HTTP/1.1",
            "GET /x?code=a HTTP/1.1",
        ] {
            #expect(request(line + "\r\n\r\n") == .other, "\(line)")
        }
        for line in ["", "GET", "GET /?a b HTTP/1.1", "GET /?a HTTP/2", "\u{16}\u{3}\u{1}", "GET /?\u{7F} HTTP/1.1"] {
            #expect(request(line + "\r\n\r\n") == .malformed, "\(line)")
        }
        #expect(request("GET /?code=a HTTP/1.1\r\nHost: h\r\n") == .incomplete)
        #expect(BrowserRequest([UInt8](repeating: 0x61, count: BrowserRequest.longest)) == .malformed)
    }

    @Test("The page states its length and gives the browser nothing to run or load")
    func page() throws {
        for request in [BrowserRequest.answer("/?a"), .other, .malformed] {
            let parts = request.response.components(separatedBy: "\r\n\r\n")
            try #require(parts.count == 2)
            #expect(parts[0].contains("Content-Length: \(parts[1].utf8.count)\r\n"))
            #expect(parts[0].contains("default-src 'none'") && parts[0].contains("no-referrer"))
        }
        #expect(BrowserRequest.incomplete.response.isEmpty)
    }

    /// A connection to the listener; nil if none is listening.
    private func connect(_ redirect: String) -> CInt? {
        guard let port = URL(string: redirect)?.port.flatMap(UInt16.init(exactly:)) else { return nil }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    private func send(_ text: String, on descriptor: CInt) throws {
        try ContentPump.write(Array(text.utf8), to: descriptor)
    }

    private func readAll(_ descriptor: CInt) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    @Test(
        "A browser that opens idle connections, asks for an icon and sends its request in parts is answered once",
        .timeLimit(.minutes(3)))
    func browser() async throws {
        let listener = try LoopbackListener()
        #expect(listener.redirect.wholeMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+\//) != nil)
        async let answer = listener.answer(within: .seconds(120))
        let idle = try (0..<20).map { _ in try #require(connect(listener.redirect)) }
        defer { for descriptor in idle { close(descriptor) } }
        let icon = try #require(connect(listener.redirect))
        try send("GET /favicon.ico HTTP/1.1\r\nHost: h\r\n\r\n", on: icon)
        #expect(readAll(icon).hasPrefix("HTTP/1.1 404"))
        close(icon)
        let browser = try #require(connect(listener.redirect))
        defer { close(browser) }
        try send("GET /?code=hush-aa11bb22&st", on: browser)
        try send("ate=x HTTP/1.1\r\n", on: browser)
        try send("Host: h\r\n\r\n", on: browser)
        #expect(readAll(browser).hasPrefix("HTTP/1.1 200 OK"))
        #expect(try await answer == listener.redirect + "?code=hush-aa11bb22&state=x")
    }

    @Test("Without a browser's request it ends in time; when the login ends, it ends at once")
    func ends() async throws {
        let listener = try LoopbackListener()
        let error = await #expect(throws: DocumentsError.self) { try await listener.answer(within: .milliseconds(300)) }
        #expect(error?.code == .deadlineExceeded && error?.suggestion?.contains("--device") == true)
        let other = try LoopbackListener()
        let task = Task { try await other.answer(within: .seconds(3600)) }
        task.cancel()
        let end = await #expect(throws: DocumentsError.self) { try await task.value }
        #expect(end?.code == .cancelled)
    }

    @Test("Only a web address is opened, by the command in BROWSER, and never by a shell")
    func opening() {
        #expect(Browser.mayOpen("https://id.example.org/a?b=c") && Browser.mayOpen("http://127.0.0.1:1/"))
        for url in [
            "file:///etc/passwd", "javascript:alert(1)", "--help", "https://a b", "https://", "x-scheme://h",
            "https://h/\u{1B}",
        ] {
            #expect(!Browser.mayOpen(url), "\(url)")
        }
        #expect(Browser.commands("https://h/", [:]) == [["xdg-open", "https://h/"]])
        #expect(
            Browser.commands("https://h/;id", ["BROWSER": "w3m:firefox --new %s"])
                == [["w3m", "https://h/;id"], ["firefox", "--new", "https://h/;id"]])
        #expect(!Browser.isLikely([:]) && !Browser.isLikely(["DISPLAY": ""]) && Browser.isLikely(["DISPLAY": ":0"]))
    }
}
