import DocentTestSupport
import FileProvider
import Glibc
import HTTPTransport
import Testing

@testable import Rclone

/// What of rclone's answers to requests for parts is passed on.
@Suite(.needs(.programs)) struct PartReceiverTests {
    private func receiver(_ range: Range<Int>, total: Int) throws -> (receiver: PartReceiver, reading: CInt) {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        return (PartReceiver(PartialContentWriter(owning: ends[1], range: range), range, total: total), ends[0])
    }

    private func reply(_ status: Int, _ range: String? = nil) -> HTTPReply {
        HTTPReply(status: status, headers: range.map { ["content-range": $0] } ?? [:])
    }

    private func take(_ text: String, _ receiver: PartReceiver) throws {
        try Array(text.utf8).withUnsafeBytes { try receiver.take($0) }
    }

    @Test("exactly the part is passed on")
    func exact() throws {
        let (receiver, reading) = try receiver(10..<15, total: 100)
        defer { close(reading) }
        try receiver.begin(reply(206, "bytes 10-14/100"))
        try take("abc", receiver)
        #expect(!receiver.isComplete)
        try take("de", receiver)
        #expect(receiver.isComplete && receiver.refusal == nil)
        var bytes = [UInt8](repeating: 0, count: 10)
        #expect(read(reading, &bytes, bytes.count) == 5)
        let more = #expect(throws: FileProviderError.self) { try take("f", receiver) }
        #expect(more?.code == .versionOutOfDate)
    }

    @Test(
        "another part and the whole document instead of a part are refused",
        arguments: [(206, "bytes 9-13/100"), (206, "bytes 10-99/100"), (206, nil), (200, nil)] as [(Int, String?)])
    func different(_ status: Int, _ range: String?) throws {
        let (receiver, reading) = try receiver(10..<15, total: 100)
        defer { close(reading) }
        #expect(throws: PartReceiver.NotInParts.self) { try receiver.begin(reply(status, range)) }
    }

    @Test("another size is another version, and the whole document is a part too")
    func sizes() throws {
        let (receiver, reading) = try receiver(10..<15, total: 100)
        defer { close(reading) }
        let error = #expect(throws: FileProviderError.self) { try receiver.begin(reply(206, "bytes 10-14/101")) }
        #expect(error?.code == .versionOutOfDate)
        let (all, other) = try self.receiver(0..<3, total: 3)
        defer { close(other) }
        try all.begin(reply(200))
        try take("abc", all)
        #expect(all.isComplete)
    }

    @Test("an error is kept, and not passed on")
    func errors() throws {
        let (receiver, reading) = try receiver(10..<15, total: 100)
        try receiver.begin(reply(404))
        try take("{\"error\": \"object not found\"}", receiver)
        #expect(receiver.refusal?.status == 404)
        #expect(!receiver.isComplete)
        close(reading)
    }
}

extension RcloneTests {
    struct PartTests {
        @Test("a part is that of the version that was asked for", arguments: Sample.shared.of(BackEnd.allCases))
        func parts(_ backEnd: BackEnd) async throws {
            let remote = try await Remote(backEnd)
            let bytes = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            let item = try await remote.provider.createItem(
                basedOn: ItemTemplate(parent: .rootContainer, filename: "big.bin"), contents: remote.contents(bytes),
                operation: Remote.operation(), progress: TransferProgress())
            let version = try #require(item.version)
            for range in [0..<1, 0..<60_000, 1_000..<50_000, 59_990..<70_000, 60_000..<60_001, 1 << 40..<1 << 41] {
                let (part, arrived) = try await self.part(range, item.identifier, version, remote)
                #expect(arrived == Array(bytes.dropFirst(range.lowerBound).prefix(range.count)), "\(range)")
                #expect(part == PartialContent(version: version, totalBytes: 60_000))
            }
            _ = try await remote.modify(item, "another and shorter", base: version)
            #expect(
                try await code { _ = try await part(0..<5, item.identifier, version, remote) } == .versionOutOfDate)
            try await remote.provider.deleteItem(item.identifier, baseVersion: nil, recursive: false)
            #expect(try await code { _ = try await part(0..<5, item.identifier, version, remote) } == .noSuchItem)
        }

        private func part(
            _ range: Range<Int>, _ identifier: ItemIdentifier, _ version: ItemVersion, _ remote: Remote
        ) async throws -> (PartialContent, [UInt8]) {
            var ends: [CInt] = [-1, -1]
            try #require(pipe(&ends) == 0)
            defer { close(ends[0]) }
            let writer = PartialContentWriter(owning: ends[1], range: range)
            let part = try await remote.provider.fetchPartialContents(
                of: identifier, version: version, range: range, into: writer, progress: TransferProgress())
            var bytes = [UInt8](repeating: 0, count: writer.bytesWritten)
            if !bytes.isEmpty { try #require(read(ends[0], &bytes, bytes.count) == bytes.count) }
            return (part, bytes)
        }
    }
}
