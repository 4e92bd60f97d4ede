import FileProvider
import Testing

@testable import WebDAV

/// Answers of servers, recorded and hostile.
@Suite struct MultistatusTests {
    private static let address = ServerAddress(origin: "http://h", base: [LocalName("dav")].compactMap { $0 })

    private static func parse(_ text: String, piece: Int = 7) throws -> [RemoteEntry] {
        let sink = MultistatusSink(address, in: .root)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try Array(rest.prefix(piece)).withUnsafeBytes { try sink.take($0) }
            rest = rest.dropFirst(piece)
        }
        return try sink.finish()
    }

    private static func answer(_ responses: String) -> String {
        "<?xml version=\"1.0\"?><D:multistatus xmlns:D=\"DAV:\" xmlns:o=\"http://owncloud.org/ns\">\(responses)</D:multistatus>"
    }

    @Test("an answer of Apache is read, in pieces of any size", arguments: [1, 7, 100_000])
    func apache(_ piece: Int) throws {
        let entries = try Self.parse(
            Self.answer(
                """
                <D:response xmlns:lp1="DAV:"><D:href>/dav/</D:href><D:propstat><D:prop><lp1:resourcetype><D:collection/>
                </lp1:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
                <D:response xmlns:lp1="DAV:"><D:href>/dav/a%20b%c3%bc.txt</D:href><D:propstat><D:prop><lp1:resourcetype/>
                <lp1:creationdate>2026-11-21T23:15:01Z</lp1:creationdate><lp1:getcontentlength>6</lp1:getcontentlength>
                <lp1:getlastmodified>Sat, 21 Nov 2026 23:15:01 GMT</lp1:getlastmodified>
                <lp1:getetag>W/"6-66&amp;0"</lp1:getetag><D:lockdiscovery><D:activelock><D:lockroot><D:href>/evil</D:href>
                </D:lockroot></D:activelock></D:lockdiscovery></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>
                <D:propstat><D:prop><o:fileid>9</o:fileid></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>
                </D:response>
                """), piece: piece)
        #expect(entries.count == 2)
        #expect(entries[0].path.isRoot && entries[0].isFolder)
        let entry = entries[1]
        #expect(entry.path.displayed == "a bü.txt")
        #expect(entry.size == 6 && !entry.isFolder)
        #expect(entry.created == 1_795_302_901 && entry.modified == 1_795_302_901)
        #expect(entry.version == ItemVersion(content: "e:6-66&0"))
        #expect(entry.fileIdentifier == nil)
    }

    @Test("properties may be missing, and invalid sizes and dates are ignored")
    func missing() throws {
        let entries = try Self.parse(
            Self.answer(
                """
                <D:response><D:href>/dav/a</D:href></D:response>
                <D:response><D:href>/dav/b</D:href><D:propstat><D:prop><D:getcontentlength>-5</D:getcontentlength>
                <D:getlastmodified>yesterday</D:getlastmodified><D:creationdate>9999999-01-01</D:creationdate></D:prop>
                </D:propstat></D:response>
                <D:response><D:href>/dav/c</D:href><D:status>HTTP/1.1 404 Not Found</D:status></D:response>
                """))
        #expect(entries.map(\.path.displayed) == ["a", "b"])
        #expect(entries.allSatisfy { $0.size == nil && $0.modified == nil && $0.version == nil })
    }

    @Test(
        "an invalid or hostile answer is refused",
        arguments: [
            "", "garbage", "<html><body>hello</body></html>", "<D:multistatus xmlns:D=\"DAV:\"><D:response>",
            "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]>" + answer(""),
            "<!DOCTYPE x SYSTEM \"file:///etc/passwd\">" + answer(""), answer("&unknown;"),
            answer(String(repeating: "<a>", count: 5_000)),
            answer("<D:response><D:href>" + String(repeating: "x", count: 20_000) + "</D:href></D:response>"),
            answer("") + answer(""), "<?xml version=\"1.0\" encoding=\"no-such\"?>" + answer("<x>\u{e9}</x>"),
        ])
    func traps(_ text: String) {
        #expect(throws: FileProviderError.self) { try Self.parse(text, piece: 1_000) }
    }

    @Test(
        "an answer that began well and ends badly is the server's failure, not a wrong address",
        arguments: [answer("") + "Internal Server Error", "<D:multistatus xmlns:D=\"DAV:\"><D:response>"])
    func breakdown(_ text: String) {
        let error = #expect(throws: FileProviderError.self) { try Self.parse(text) }
        #expect(error?.code == .serverUnreachable)
        #expect(error.map(MultistatusParser.isBreakdown) == true)
    }

    @Test("an answer that is no multistatus at all is a matter of the address")
    func address() {
        let error = #expect(throws: FileProviderError.self) { try Self.parse("garbage") }
        #expect(error?.code == .failed && error.map(MultistatusParser.isBreakdown) == false)
    }

    @Test("an answer longer than 64 MiB is refused")
    func huge() {
        let piece = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20)
        let sink = MultistatusSink(Self.address, in: .root)
        #expect(throws: FileProviderError.self) {
            try Array(Self.answer("").utf8.dropLast(17)).withUnsafeBytes { try sink.take($0) }
            for _ in 0..<70 { try piece.withUnsafeBytes { try sink.take($0) } }
        }
    }
}
