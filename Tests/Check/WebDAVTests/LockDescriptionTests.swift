import Testing

@testable import WebDAV

@Suite struct LockDescriptionTests {
    @Test(
        "a token is read with brackets, without them, and from the body",
        arguments: [
            ("<urn:uuid:1>", "", "<urn:uuid:1>"), (" opaquelocktoken:2 ", "", "<opaquelocktoken:2>"),
            (
                nil,
                "<D:prop xmlns:D='DAV:'><D:lockdiscovery><D:activelock><D:owner>Docent</D:owner><D:locktoken><D:href>\n opaquelocktoken:3 </D:href></D:locktoken></D:activelock></D:lockdiscovery></D:prop>",
                "<opaquelocktoken:3>"
            ),
            (
                "", "<ns0:activelock><ns0:locktoken><ns0:href>a&amp;b</ns0:href></ns0:locktoken></ns0:activelock>",
                "<a&b>"
            ),
            ("two words", "", nil), ("<>", "", nil), (nil, "", nil), (nil, "<activelock><locktoken>", nil),
            ("a>b", "", nil),
        ] as [(String?, String, String?)])
    func tokens(_ header: String?, _ body: String, _ expected: String?) {
        #expect(LockToken.read(header: header, body: Array(body.utf8)) == expected)
    }

    @Test("locks are described with their owner and time")
    func descriptions() {
        let body = """
            <D:multistatus xmlns:D="DAV:"><D:response><D:href>/a</D:href><D:propstat><D:prop><D:lockdiscovery/><D:lockdiscovery>
            <D:activelock><D:owner><D:href>mailto:anna</D:href></D:owner><D:timeout>Second-29</D:timeout>
            <D:locktoken><D:href>t:1</D:href></D:locktoken><D:lockroot><D:href>/a</D:href></D:lockroot></D:activelock>
            <D:activelock><D:owner/><D:timeout>Infinite</D:timeout></D:activelock></D:lockdiscovery></D:prop></D:propstat>
            </D:response></D:multistatus>
            """
        #expect(
            LockDescription.all(in: Array(body.utf8)) == [
                LockDescription(token: "<t:1>", owner: "mailto:anna", seconds: 29), LockDescription(),
            ])
        #expect(LockDescription.seconds("Second-1e99") == 86_400)
        #expect(LockDescription.seconds("Second-x") == nil)
    }
}
