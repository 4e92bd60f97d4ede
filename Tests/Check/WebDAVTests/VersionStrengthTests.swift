import FileProvider
import HTTPTransport
import Testing

@testable import WebDAV

@Suite struct VersionStrengthTests {
    @Test(
        "a tag is strong if its time is finer than the second that the server reports",
        arguments: [
            // Apache: size and microseconds; with the inode; at the very start of a second.
            (#""3-660fc64d57605""#, 1_795_487_000.0, VersionStrength.strong),
            (#""9f-3-660fc64d57605""#, 1_795_487_000.0, .strong),
            (#""3-660fc64d57600""#, 1_795_487_000.0, .wholeSecond),
            (#""a-1795486951327000""#, 1_795_486_951, .strong), (#""a-1795486951000000""#, 1_795_486_951, .wholeSecond),
            // golang: nanoseconds with the size behind them; SeaweedFS the same with none.
            (#""18eaf2e6bb044ba33""#, 1_795_514_474, .strong),
            // WsgiDAV: inode, seconds, size. nginx: seconds and size. An opaque one.
            (#""7096626-1795486949-3""#, 1_795_486_949, .wholeSecond), (#""6b04f4ea-3""#, 1_795_487_978, .wholeSecond),
            (#""d315b58857d10199bcd37540470ffc3e""#, 1_795_486_952, .wholeSecond), ("", 1_795_486_952, .wholeSecond),
        ] as [(String, Double, VersionStrength)])
    func tags(_ tag: String, _ modified: Double, _ expected: VersionStrength) {
        #expect(VersionStrength(EntityTag(tag), modified: modified.rounded(.down)) == expected)
    }

    @Test("without a tag or a date nothing is strong")
    func nothing() {
        #expect(VersionStrength(nil, modified: 1_795_486_952) == .wholeSecond)
        #expect(VersionStrength(EntityTag("\"1795486951327000\""), modified: nil) == .wholeSecond)
    }

    @Test(
        "a version is awaited until it is old enough by the server's clock, and never for a date far away",
        arguments: [
            (100.0, 100.0, 2.0), (100.0, 101.0, 1.0), (100.9, 101.0, 1.0), (100.0, 102.0, 0.0), (100.0, 5_000.0, 0.0),
            (103.0, 100.0, 5.0), (5_000.0, 100.0, 0.0), (nil, 100.0, 0.0), (100.0, nil, 0.0),
        ] as [(Double?, Double?, Double)])
    func waiting(_ modified: Double?, _ now: Double?, _ expected: Double) {
        #expect(Settling.remaining(until: Settling.ageToRead, modified: modified, now: now) == expected)
    }

    @Test("a date is written in HTTP's format")
    func dates() {
        #expect(HTTPDate.text(1_795_302_903) == "Sat, 21 Nov 2026 23:15:03 GMT")
        #expect(HTTPDate.seconds(HTTPDate.text(86_399)) == 86_399)
    }

    @Test("a part is requested by its tag, or by its date with an overlap")
    func parts() throws {
        var entry = RemoteEntry(path: .root, size: 1 << 20, modified: 1_795_302_903, entityTag: "\"t\"")
        let strong = try #require(
            DownloadPart(ResumePoint(offset: 100_000, version: ItemVersion(content: "e:t")), of: entry))
        #expect(strong.headers.map(\.value) == ["bytes=100000-", "\"t\""])
        entry.entityTag = nil
        let version = try #require(entry.version)
        let dated = try #require(DownloadPart(ResumePoint(offset: 100_000, version: version), of: entry))
        #expect(dated.headers.map(\.value) == ["bytes=34464-", "Sat, 21 Nov 2026 23:15:03 GMT"])
        var reply = HTTPReply(status: 206)
        reply.headers = [
            "content-range": "bytes 34464-1048575/1048576", "last-modified": "Sat, 21 Nov 2026 23:15:03 GMT",
        ]
        #expect(dated.isAnswered(by: reply))
        reply.headers["last-modified"] = "Sat, 21 Nov 2026 23:15:04 GMT"
        #expect(!dated.isAnswered(by: reply))
        reply.headers = ["content-range": "bytes 34464-1048576/1048577"]
        #expect(!dated.isAnswered(by: reply))
        entry.modified = nil
        #expect(DownloadPart(ResumePoint(offset: 1, version: version), of: entry) == nil)
    }
}
