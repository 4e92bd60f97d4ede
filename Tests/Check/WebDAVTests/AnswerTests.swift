import CCurl
import FileProvider
import HTTPTransport
import Testing

@testable import WebDAV

/// How the answers of servers are interpreted.
@Suite struct AnswerTests {
    @Test(
        "every status has its meaning",
        arguments: [
            (401, FileProviderError.Code.notAuthenticated), (403, .notPermitted), (405, .notSupported),
            (412, .versionOutOfDate),
            (413, .insufficientQuota), (423, .busy), (424, .busy), (429, .busy), (500, .serverUnreachable),
            (502, .serverUnreachable),
            (503, .busy), (504, .serverUnreachable), (507, .insufficientQuota), (418, .failed),
        ])
    func statuses(_ status: Int, _ expected: FileProviderError.Code) {
        let error = HTTPFailure.error(reply: HTTPReply(status: status), cannot: "do it", isAnonymous: false)
        #expect(error.code == expected)
        #expect(error.message.contains(". "))
    }

    @Test(
        "Retry-After is read as seconds or as a date, and never as more than a day",
        arguments: [
            ("5", 5.0), ("Sat, 21 Nov 2026 23:15:01 GMT", 1.0), ("Sat, 21 Nov 2020 23:15:01 GMT", 0.0), ("1e9", 86_400),
            ("-3", nil), ("soon", nil), ("nan", nil),
        ])
    func retryAfter(_ text: String, _ expected: Double?) {
        #expect(HTTPFailure.retryAfter(text, now: 1_795_302_900) == expected)
    }

    @Test("a certificate error is not retried, a network error is")
    func transport() {
        func code(_ code: CURLcode, _ number: Int = 0) -> FileProviderError.Code {
            HTTPFailure.error(transport: code, text: "", systemError: number, url: "https://h/").code
        }
        #expect(code(CURLE_PEER_FAILED_VERIFICATION) == .failed)
        #expect(code(CURLE_SSL_CONNECT_ERROR) == .failed)
        #expect(code(CURLE_SSL_CONNECT_ERROR, 104) == .serverUnreachable)
        for one in [
            CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR,
        ] {
            #expect(code(one) == .serverUnreachable)
        }
    }

    @Test(
        "a server's answer leads to a helpful error",
        arguments: [
            (507, "read \"a.txt\"", nil, "Try again later."),
            (507, "store \"a.txt\"", nil, "Ask its owner for more, or move something away there."),
            (503, "store \"a.txt\"", "30", "to wait for 30 seconds"),
            (429, "list \"b\"", "600", "to wait for 10 minutes"),
            (500, "read \"a.txt\"", nil, "Try again later."),
        ] as [(Int, String, String?, String)])
    func advice(_ status: Int, _ what: String, _ pause: String?, _ expected: String) {
        var reply = HTTPReply(status: status)
        reply.headers["retry-after"] = pause
        let error = HTTPFailure.error(reply: reply, cannot: what, isAnonymous: false)
        #expect(error.message.contains(expected), "\(error.message)")
        // The command ends, so the message must not promise a retry.
        #expect(!error.message.contains("tried again"))
    }

    @Test("an error about a document says what to do, and promises nothing")
    func places() throws {
        let path = RemotePath([try #require(LocalName("a.txt"))])
        for error in [
            WebDAVProvider.vanished(path), WebDAVProvider.other(path), WebDAVProvider.collision(path),
            RemotePackage.outOfDate(path),
        ] {
            #expect(error.message.contains("\"a.txt\"") && error.message.contains(". "), "\(error.message)")
            #expect(!error.message.contains("will be"), "\(error.message)")
        }
    }

    @Test(
        "a port without TLS is not reported as a certificate problem",
        arguments: [
            "error:0A00010B:SSL routines::wrong version number",
            "GnuTLS, handshake failed: An unexpected TLS packet was received.",
        ])
    func plainPort(_ reason: String) {
        let error = HTTPFailure.error(
            transport: CURLE_SSL_CONNECT_ERROR, text: reason, systemError: 0, url: "https://h:80/")
        #expect(error.code == .failed)
        #expect(error.message.contains("http://") && !error.message.contains("authority"), "\(error.message)")
    }

    @Test("the last answer's header counts")
    func heads() {
        var reply = HTTPReply()
        for line in [
            "HTTP/1.1 100 Continue", "X: 1", "", "HTTP/1.1 206 Partial", "DAV: 1", "dav: 2",
            "Content-Range: bytes 5-9/10",
        ] {
            reply.take(line: line)
        }
        #expect(reply.status == 206)
        #expect(reply["x"] == nil)
        #expect(reply["dav"] == "1, 2")
        #expect(reply.contentRange?.first == 5 && reply.contentRange?.last == 9 && reply.contentRange?.total == 10)
    }

    @Test("chunks are never more than ten thousand")
    func chunks() {
        #expect(ChunkedUpload.size(of: 1 << 20, wanted: 5) >= 104)
        #expect(ChunkedUpload.size(of: 1 << 40, wanted: 32 << 20) * 10_000 >= 1 << 40)
        #expect(ChunkedUpload.size(of: 1 << 30, wanted: 32 << 20) == 32 << 20)
    }
}
