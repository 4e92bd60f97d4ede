import FileProvider
import HTTPTransport
import Testing

@testable import WebDAV

/// Where credentials may be sent.
@Suite struct RedirectTests {
    @Test(
        "credentials stay with scheme, host and port; without credentials http may become https on the host",
        arguments: [
            ("http://h/a", "http://h/b", true, true), ("http://h/a", "http://H:80/b", true, true),
            ("https://h:443/a", "https://h/b", true, true), ("http://[::1]:5/a", "http://[::1]:5/", true, true),
            ("http://h/a", "https://h/b", false, true), ("http://h:8080/a", "https://h:8443/b", false, true),
            ("https://h/a", "http://h/b", false, false), ("http://h/a", "http://h:81/b", false, false),
            ("https://h/a", "https://h:444/b", false, false), ("http://h/a", "http://g/b", false, false),
            ("http://h/a", "https://g/b", false, false), ("http://h/a", "http://h@g/b", false, false),
            ("http://h/a", "https://h@g/b", false, false), ("http://h/a", "https://h.g/b", false, false),
            ("http://h/a", "file:///h", false, false), ("http://h/a", "//h/b", false, false),
        ])
    func redirects(_ from: String, _ to: String, _ withCredentials: Bool, _ anonymous: Bool) {
        #expect(Redirect.isAllowed(from: from, to: to, isAnonymous: false) == withCredentials)
        #expect(Redirect.isAllowed(from: from, to: to, isAnonymous: true) == anonymous)
    }

    @Test(
        "only 301 and 308 move a server permanently, and only with an address",
        arguments: [
            (301, true, true), (308, true, true), (302, true, false), (307, true, false), (303, false, false),
            (300, false, false), (200, false, false), (401, false, false),
        ])
    func moves(_ status: Int, _ isRedirect: Bool, _ isForGood: Bool) {
        var reply = HTTPReply(status: status)
        #expect(!reply.isRedirect && !reply.isMovedForGood)
        reply.redirect = "https://h/"
        #expect(reply.isRedirect == isRedirect && reply.isMovedForGood == isForGood)
    }

    @Test("the error contains the new address only if the server has moved permanently, and to https")
    func errors() {
        func error(_ status: Int, _ target: String) -> FileProviderError {
            var reply = HTTPReply(status: status)
            reply.redirect = target
            reply.url = "http://h/dav/"
            return HTTPFailure.error(redirect: reply)
        }
        let moved = error(308, "https://h/dav/")
        #expect(moved.code == .notAuthenticated && moved.underlying.first?.text == "https://h/dav/")
        #expect(moved.underlying.first?.domain == HTTPFailure.movedDomain)
        #expect(error(307, "https://h/dav/").underlying.isEmpty)
        let away = error(308, "https://g/dav/?secret=hush-1d2e3f")
        #expect(away.code == .failed && away.underlying.isEmpty && away.message.contains("https://g:443"))
        #expect(!away.message.contains("hush"))
    }

    @Test(
        "addresses on this machine need no https, all others do",
        arguments: [
            ("https://h/", true), ("http://127.0.0.1:80/", true), ("http://localhost/", true), ("http://[::1]/", true),
            ("http://h/", false), ("http://127.evil.org/", false), ("http://192.0.2.2/", false),
            ("http://[fd00::2]/", false),
        ])
    func protected(_ url: String, _ isProtected: Bool) throws {
        #expect(try ServerAddress(url: url).isProtected == isProtected)
    }
}
