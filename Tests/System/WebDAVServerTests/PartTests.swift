import DocentTestSupport
import FileProvider
import FoundationEssentials
import Glibc
import Testing

@testable import WebDAV

/// Parts of documents, from real servers.
@Suite(.needs(.server)) struct PartTests {
    // Shorter than a pipe holds, so that it can be read afterwards.
    private static let text = String((0..<50_000).map { Character(UnicodeScalar(UInt8(0x21 + $0 * 7 % 0x5D))) })

    private func part(
        _ range: Range<Int>, of item: FileProviderItem, _ version: ItemVersion? = nil, with provider: WebDAVProvider
    ) async throws -> (part: PartialContent, text: String) {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let writer = PartialContentWriter(owning: ends[1], range: range)
        let part = try await provider.fetchPartialContents(
            of: item.identifier, version: try #require(version ?? item.version), range: range, into: writer,
            progress: TransferProgress())
        var bytes = [UInt8](repeating: 0, count: writer.bytesWritten)
        if !bytes.isEmpty { try #require(read(ends[0], &bytes, bytes.count) == bytes.count) }
        return (part, String(decoding: bytes, as: UTF8.self))
    }

    private func expected(_ range: Range<Int>) -> String {
        String(Self.text.dropFirst(range.lowerBound).prefix(range.count))
    }

    @Test(
        "parts are those of the version that was asked for, whatever the server",
        arguments: Sample.shared.of(ServerKind.every))
    func parts(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            let item = try await fixture.create("parts.txt", Self.text)
            for range in [0..<1, 0..<50_000, 100..<20_000, 49_990..<60_000, 49_999..<50_000] {
                let (part, text) = try await part(range, of: item, with: fixture.provider)
                #expect(text == expected(range), "\(range)")
                #expect(part.totalBytes == 50_000)
                #expect(part.version == item.version)
            }
            for start in [50_000, 1 << 40] {
                let (part, text) = try await part(start..<start + 10, of: item, with: fixture.provider)
                #expect(text.isEmpty)
                #expect(part.totalBytes == 50_000)
            }
            let changed = try await fixture.modify(item.identifier, from: item.version, Self.text.uppercased())
            #expect(
                await code { try await part(0..<10, of: item, with: fixture.provider).text } == .versionOutOfDate)
            let (_, text) = try await part(100..<20_000, of: changed, with: fixture.provider)
            #expect(text == expected(100..<20_000).uppercased())
        }
    }

    @Test("a part needs one request, and a refused one a second", arguments: [ServerKind.apache, .rclone])
    func requests(_ kind: ServerKind) async throws {
        try await WebDAVFixture.with(kind) { fixture in
            let item = try await fixture.create("parts.txt", Self.text)
            // Apache's tags are weak in the first second, and match no condition.
            try await Task.sleep(for: .seconds(2.5))
            try await Proxy.with(fixture.url) { proxy in
                let provider = try fixture.another(through: proxy.url)
                for range in [1_000..<2_000, 0..<10, 40_000..<50_000] {
                    #expect(try await part(range, of: item, with: provider).text == expected(range))
                }
                #expect(try proxy.methods() == ["GET", "GET", "GET"])
                _ = try await fixture.modify(item.identifier, from: item.version, "other")
                #expect(await code { try await part(0..<10, of: item, with: provider).text } == .versionOutOfDate)
                #expect(try proxy.methods() == ["GET", "GET", "GET", "GET", "PROPFIND"])
            }
        }
    }

    @Test("a document that is gone is reported as gone, and a folder has no parts")
    func gone() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let item = try await fixture.create("parts.txt", Self.text)
            try await fixture.provider.deleteItem(item.identifier, baseVersion: nil, recursive: false)
            let version = ItemVersion(content: "e:1")
            let missed = await code { try await part(0..<10, of: item, version, with: fixture.provider).text }
            #expect(missed == .noSuchItem)
            let folder = try await fixture.createFolder("folder")
            let refused = await code { try await part(0..<10, of: folder, version, with: fixture.provider).text }
            #expect(refused != nil)
        }
    }

    @Test("an answer that is not the part is refused, and one that is cut off is an error of the network")
    func faults() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let item = try await fixture.create("parts.txt", Self.text)
            try await Proxy.with(fixture.url) { proxy in
                let provider = try fixture.another(through: proxy.url)
                #expect(try await part(0..<10, of: item, with: provider).text == expected(0..<10))
                let rules: [(String, FileProviderError.Code)] = [
                    (
                        #"{"action": "headers", "headers": {"Content-Range": "bytes 0-9/50000"}, "method": "GET"}"#,
                        .notSupported
                    ),
                    (#"{"action": "headers", "headers": {"Content-Range": null}, "method": "GET"}"#, .notSupported),
                    (#"{"action": "headers", "headers": {"Content-Encoding": "gzip"}, "method": "GET"}"#, .failed),
                    (#"{"action": "truncate", "bytes": 5, "method": "GET"}"#, .serverUnreachable),
                    (#"{"action": "status", "status": 503, "method": "GET"}"#, .busy),
                    (#"{"action": "status", "status": 401, "method": "GET"}"#, .notAuthenticated),
                ]
                for (rule, expected) in rules {
                    try proxy.add(rule)
                    let got = await code { try await part(10..<20, of: item, with: provider).text }
                    #expect(got == expected, "\(rule)")
                }
                #expect(try await part(10..<20, of: item, with: provider).text == expected(10..<20))
            }
        }
    }

    @Test("a host that closes the pipe ends the transfer, and the version is confirmed")
    func closed() async throws {
        try await WebDAVFixture.with(.apache) { fixture in
            let item = try await fixture.create("parts.txt", Self.text)
            var ends: [CInt] = [-1, -1]
            try #require(pipe(&ends) == 0)
            let writer = PartialContentWriter(owning: ends[1], range: 0..<50_000)
            close(ends[0])
            let part = try await fixture.provider.fetchPartialContents(
                of: item.identifier, version: try #require(item.version), range: 0..<50_000, into: writer,
                progress: TransferProgress())
            #expect(writer.isUnwanted && writer.bytesWritten == 0)
            #expect(part == PartialContent(version: try #require(item.version), totalBytes: 50_000))
        }
    }
}
