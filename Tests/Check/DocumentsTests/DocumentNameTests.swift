import Testing

@testable import Documents

@Suite struct DocumentNameTests {
    @Test(
        "G2: a document's URL is a name, percent-encoded so that it is unambiguous",
        arguments: [
            ("a.txt", "docent://p/a.txt"), ("a/b", "docent://p/a%2Fb"), ("ä ?#", "docent://p/%C3%A4%20%3F%23"),
            ("..", "docent://p/.."),
        ])
    func url(_ identifier: String, _ url: String) {
        #expect(DocumentReference(provider: "p", identifier: identifier).url == url)
    }

    @Test("a location is provider[@domain]:/path")
    func location() throws {
        let location = try DocumentLocation("org.docent.LocalFolder@work:/a/b c.txt")
        #expect(location.provider == "org.docent.LocalFolder")
        #expect(location.domain == "work")
        #expect(location.path == "/a/b c.txt")
        #expect(location.name == "b c.txt")
        #expect(location.parent.path == "/a")
        #expect(location.description == "org.docent.LocalFolder@work:/a/b c.txt")
    }

    @Test(
        "an invalid location is refused with a suggestion",
        arguments: ["", "a.txt", "/etc/passwd", ":x", "@d:/x", "p@:/x"])
    func noLocation(_ text: String) {
        #expect(throws: DocumentsError.self) { try DocumentLocation(text) }
    }

    @Test("D4: the socket is found through DOCENT_SOCKET, then the runtime directory, then the state home")
    func socket() {
        #expect(SocketLocation(environment: ["DOCENT_SOCKET": "/s", "XDG_RUNTIME_DIR": "/r"]).path == "/s")
        #expect(SocketLocation(environment: ["DOCENT_SOCKET": "/s"]).isGiven)
        #expect(!SocketLocation(environment: ["XDG_RUNTIME_DIR": "relative", "HOME": "/h"]).path.hasPrefix("relative"))
    }
}
