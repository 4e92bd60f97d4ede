import FileProvider
import Testing

@testable import WebDAV

@Suite struct QuotaTests {
    private func usage(_ text: String, piece: Int = 7) throws -> StorageUsage {
        let sink = QuotaSink()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try Array(rest.prefix(piece)).withUnsafeBytes { try sink.take($0) }
            rest = rest.dropFirst(piece)
        }
        return try sink.finish()
    }

    private func answer(_ properties: String, status: String = "200 OK") -> String {
        """
        <?xml version="1.0"?><D:multistatus xmlns:D="DAV:"><D:response><D:href>/dav/</D:href><D:propstat><D:prop>\
        \(properties)</D:prop><D:status>HTTP/1.1 \(status)</D:status></D:propstat></D:response></D:multistatus>
        """
    }

    @Test("RFC 4331's properties are read, in pieces of any size", arguments: [1, 7, 100_000])
    func both(_ piece: Int) throws {
        let text = answer(
            "<D:quota-available-bytes>596650</D:quota-available-bytes><D:quota-used-bytes>403350</D:quota-used-bytes>")
        #expect(try usage(text, piece: piece) == StorageUsage(usedBytes: 403_350, availableBytes: 596_650))
    }

    @Test(
        "what is negative, no number or too large is not known",
        arguments: ["-1", "-2", "-3", "", "unlimited", "1.5e9", "18446744073709551616", "0x10"])
    func unknown(_ value: String) throws {
        let text = answer(
            "<D:quota-available-bytes>\(value)</D:quota-available-bytes><D:quota-used-bytes>7</D:quota-used-bytes>")
        #expect(try usage(text) == StorageUsage(usedBytes: 7))
    }

    @Test("a server without quotas says nothing")
    func none() throws {
        #expect(try usage(answer("<D:quota-used-bytes/>", status: "404 Not Found")) == StorageUsage())
        #expect(try usage(answer("")) == StorageUsage())
    }

    @Test("only the folder that was asked about counts")
    func others() throws {
        let text = """
            <?xml version="1.0"?><D:multistatus xmlns:D="DAV:"><D:response><D:href>/dav/</D:href><D:propstat><D:prop>\
            <D:quota-used-bytes>7</D:quota-used-bytes></D:prop></D:propstat></D:response>\
            <D:response><D:href>/dav/a</D:href>\
            <D:propstat><D:prop><D:quota-used-bytes>8</D:quota-used-bytes></D:prop></D:propstat></D:response></D:multistatus>
            """
        #expect(try usage(text) == StorageUsage(usedBytes: 7))
    }

    @Test(
        "an answer that is cut or is no multistatus is an error",
        arguments: ["<D:multistatus xmlns:D=\"DAV:\">", "<a/>"])
    func broken(_ text: String) { #expect(throws: FileProviderError.self) { try usage(text) } }
}
