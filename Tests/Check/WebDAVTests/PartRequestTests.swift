import FileProvider
import HTTPTransport
import Testing

@testable import WebDAV

/// Requests for parts of documents, and what is accepted as their replies.
@Suite struct PartRequestTests {
    private static let tagged = ItemVersion(content: "e:abc")
    // 100 bytes, changed on 21 November 2026.
    private static let dated = ItemVersion(content: "m:1795302903:100")
    private static let date = "Sat, 21 Nov 2026 23:15:03 GMT"
    private static let now = 1_795_999_999.0

    private func reply(_ status: Int, _ headers: [String: String]) -> HTTPReply {
        HTTPReply(status: status, headers: headers)
    }

    private func partial(_ range: String, _ more: [String: String] = [:]) -> HTTPReply {
        reply(206, ["content-range": range, "etag": "\"abc\""].merging(more) { $1 })
    }

    private func entry(_ tag: String?, size: Int? = 100, modified: Double? = nil) -> RemoteEntry {
        var entry = RemoteEntry(path: .root)
        (entry.entityTag, entry.size, entry.modified) = (tag, size, modified)
        return entry
    }

    private func part(
        _ range: Range<Int>, of version: ItemVersion = tagged, at entry: RemoteEntry? = nil, _ reply: HTTPReply
    ) throws(PartRequest.Refusal) -> PartRequest.Part {
        try PartRequest(range, of: version, at: entry, isConditional: true).part(in: reply, now: Self.now)
    }

    @Test("only a tag that can match is sent as a condition")
    func conditions() {
        func headers(_ version: ItemVersion, _ entry: RemoteEntry? = nil, isConditional: Bool = true) -> [String] {
            PartRequest(10..<20, of: version, at: entry, isConditional: isConditional).headers
                .map { "\($0.name): \($0.value)" }
        }
        let range = "Range: bytes=10-19"
        #expect(headers(Self.tagged) == [range, "If-Match: \"abc\""])
        #expect(headers(Self.tagged, entry("\"abc\"")) == [range, "If-Match: \"abc\""])
        #expect(headers(Self.tagged, entry("W/\"abc\"")) == [range])
        #expect(headers(Self.tagged, isConditional: false) == [range])
        #expect(headers(Self.dated) == [range])
        #expect(headers(ItemVersion(content: "h:start:1f:200")) == [range])
    }

    @Test(
        "exactly the part is accepted, or what of it is there",
        arguments: [
            (10..<20, "bytes 10-19/100", 10, 100), (0..<100, "bytes 0-99/100", 100, 100),
            (90..<500, "bytes 90-99/100", 10, 100), (10..<20, "bytes 10-19/*", 10, nil),
        ] as [(Range<Int>, String, Int, Int?)])
    func exact(_ range: Range<Int>, _ text: String, _ count: Int, _ total: Int?) throws {
        #expect(try part(range, partial(text)) == .init(count: count, total: total))
        #expect(try part(range, partial(text, ["content-length": "\(count)"])).count == count)
        #expect(throws: PartRequest.Refusal.wrongPart) {
            try part(range, partial(text, ["content-length": "\(count + 1)"]))
        }
    }

    @Test(
        "another part, an incomplete one and one without a proper range are refused",
        arguments: [
            "bytes 9-18/100", "bytes 10-18/100", "bytes 10-20/100", "bytes 10-99/100", "bytes 0-9/100",
            "bytes 10-9/100",
            "bytes 10-14/*", "bytes 10-19", "bytes 10/100", "bytes -10-19/100", "items 10-19/100", "", "bytes */100",
            "bytes 10-99999999999999999999/100", "bytes a-b/c", "bytes 10-19/15",
        ])
    func wrongParts(_ text: String) {
        #expect(throws: PartRequest.Refusal.wrongPart) { try part(10..<20, partial(text)) }
    }

    @Test("a reply without a range, such as one with several parts, is refused")
    func several() {
        let headers = ["etag": "\"abc\"", "content-type": "multipart/byteranges; boundary=x"]
        #expect(throws: PartRequest.Refusal.wrongPart) { try part(10..<20, reply(206, headers)) }
    }

    @Test("the whole document is accepted only if it is what was asked for")
    func whole() throws {
        func whole(_ length: String?) -> HTTPReply {
            var headers = ["etag": "\"abc\""]
            headers["content-length"] = length
            return reply(200, headers)
        }
        #expect(try part(0..<100, whole("100")) == .init(count: 100, total: 100))
        #expect(try part(0..<1_000, whole("100")).count == 100)
        #expect(try part(0..<10, whole("0")).count == 0)
        for (range, length) in [(0..<99, "100"), (1..<100, "100"), (0..<100, nil), (50..<60, "10")] {
            #expect(throws: PartRequest.Refusal.whole) { try part(range, whole(length)) }
        }
        #expect(throws: PartRequest.Refusal.whole) { try part(0..<100, reply(204, ["etag": "\"abc\""])) }
    }

    @Test("encoded content is refused, and identity is none")
    func encoded() throws {
        #expect(throws: PartRequest.Refusal.encoded) {
            try part(10..<20, partial("bytes 10-19/100", ["content-encoding": "gzip"]))
        }
        #expect(try part(10..<20, partial("bytes 10-19/100", ["content-encoding": "Identity"])).count == 10)
    }

    @Test("the reply shows the version by its tag, weak or not")
    func tags() throws {
        for tag in ["\"abc\"", "W/\"abc\"", "abc", "\"abc-gzip\""] {
            #expect(try part(10..<20, partial("bytes 10-19/100", ["etag": tag])).count == 10)
        }
        let long = String(repeating: "t", count: 300)
        let version = try #require(EntityTag("\"\(long)\"")).version
        #expect(try part(10..<20, of: version, partial("bytes 10-19/100", ["etag": "\"\(long)\""])).count == 10)
        for tag in ["\"abd\"", "\"abc2\"", "\"\(long)\""] {
            #expect(throws: PartRequest.Refusal.otherVersion) {
                try part(10..<20, partial("bytes 10-19/100", ["etag": tag]))
            }
        }
    }

    @Test("a version made of date and size is shown by both, whatever the tag")
    func dates() throws {
        let good = ["content-range": "bytes 10-19/100", "last-modified": Self.date, "etag": "\"other\""]
        #expect(try part(10..<20, of: Self.dated, reply(206, good)).total == 100)
        let unsized = ItemVersion(content: "m:1795302903:?")
        #expect(try part(10..<20, of: unsized, reply(206, good)).total == 100)
        for (key, value) in [
            ("last-modified", "Sat, 21 Nov 2026 23:15:04 GMT"), ("content-range", "bytes 10-19/101"),
        ] {
            #expect(throws: PartRequest.Refusal.otherVersion) {
                try part(10..<20, of: Self.dated, reply(206, good.merging([key: value]) { $1 }))
            }
        }
        // The size is a part of the version, so it has to be known.
        #expect(throws: PartRequest.Refusal.unproven) {
            try part(10..<20, of: Self.dated, reply(206, good.merging(["content-range": "bytes 10-19/*"]) { $1 }))
        }
    }

    @Test("a reply that shows no version needs a description, with which it agrees")
    func descriptions() throws {
        let bare = reply(206, ["content-range": "bytes 10-19/100"])
        for version in [Self.tagged, Self.dated] {
            #expect(throws: PartRequest.Refusal.unproven) { try part(10..<20, of: version, bare) }
        }
        #expect(try part(10..<20, at: entry("\"abc\""), bare).count == 10)
        #expect(try part(10..<20, of: Self.dated, at: entry(nil, modified: 1_795_302_903), bare).count == 10)
        #expect(throws: PartRequest.Refusal.otherVersion) {
            try part(10..<20, at: entry("\"abc\"", size: 101), bare)
        }
        let dated = reply(206, ["content-range": "bytes 10-19/100", "last-modified": Self.date])
        #expect(throws: PartRequest.Refusal.otherVersion) {
            try part(10..<20, at: entry("\"abc\"", modified: 1_795_302_900), dated)
        }
        // The server does not say the size with the part, but did so before.
        let open = partial("bytes 90-99/*")
        #expect(try part(90..<500, at: entry("\"abc\""), open) == .init(count: 10, total: 100))
    }

    @Test("a version in a form that no description has is not requested")
    func foreign() {
        for version in ["e:abc", "m:1795302903:100", "m:1795302903:?", "h:start:1f:200"] {
            #expect(PartRequest.isShowable(ItemVersion(content: version)))
        }
        for version in ["", "abc", "m:", "m:x:1", "m:1", "no version of this"] {
            #expect(!PartRequest.isShowable(ItemVersion(content: version)))
        }
    }

    @Test("a version of the last moments is not trusted without a description")
    func young() throws {
        let headers = ["content-range": "bytes 10-19/100", "etag": "\"abc\"", "last-modified": Self.date]
        let young = headers.merging(["date": Self.date]) { $1 }
        #expect(throws: PartRequest.Refusal.young) { try part(10..<20, reply(206, young)) }
        #expect(try part(10..<20, at: entry("\"abc\"", modified: 1_795_302_903), reply(206, young)).count == 10)
        let old = headers.merging(["date": "Sat, 21 Nov 2026 23:15:05 GMT"]) { $1 }
        #expect(try part(10..<20, reply(206, old)).count == 10)
        // Apache's tags have microseconds.
        let fine = young.merging(["etag": "\"3-660d187ce0e01\""]) { $1 }
        let version = ItemVersion(content: "e:3-660d187ce0e01")
        #expect(try part(10..<20, of: version, reply(206, fine)).count == 10)
    }
}
