import DocentInterfaces
import FileProvider
import Glibc
import Testing
import Varlink

/// FetchRange of the SDK.
@Suite(.timeLimit(.minutes(2))) struct RangesTests {
    private typealias Interface = FileProviderInterface

    private func fetch(
        _ identifier: String, version: String = "v1", from offset: Int, count: Int,
        principal: String = "FileProviderTests.FakeRanges"
    ) async throws -> (replies: [Interface.FetchRange.Reply], bytes: [UInt8]) {
        let host = try await ExtensionUnderTest(principal)
        let pipe = try FakePipe()
        async let arrived = pipe.all()
        let descriptors = DescriptorList(OwnedDescriptor(pipe.writing))
        var replies: [Interface.FetchRange.Reply] = []
        var failure: (any Error)?
        do {
            let stream = host.connection.stream(
                Interface.FetchRange.name,
                Interface.FetchRange.Parameters(
                    domain: "", identifier: identifier, version: version, offset: offset, length: count,
                    destination: 0), Interface.FetchRange.Reply.self, descriptors: descriptors)
            for try await reply in stream { replies.append(reply.value) }
        } catch {
            failure = error
        }
        let bytes = await arrived
        if let failure { throw (failure as? VarlinkCallError).map { Failure($0) } ?? failure }
        return (replies, bytes)
    }

    @Test(
        "a part of the content arrives, and less of it only at its end",
        arguments: [(0, 1), (0, 400_000), (1, 399_999), (399_999, 1), (399_999, 5), (123_456, 200_000), (400_000, 9)])
    func parts(_ offset: Int, _ count: Int) async throws {
        let (replies, bytes) = try await fetch("a", from: offset, count: count)
        #expect(bytes == Array(FakeRanges.content.dropFirst(offset).prefix(count)))
        #expect(replies.last == .init(version: "v1", completedBytes: bytes.count, totalBytes: 400_000))
    }

    @Test("the size of the whole may be unknown")
    func endless() async throws {
        let (replies, _) = try await fetch("endless", from: 10, count: 20)
        #expect(replies.last == .init(version: "v1", completedBytes: 20, totalBytes: nil))
    }

    @Test("the feature is declared by its name, and without it nothing is called")
    func declared() async throws {
        let host = try ExtensionUnderTest()
        #expect(try await host.initialize("FileProviderTests.FakeRanges") == ["ranges"])
        let failure = await #expect(throws: Failure.self) {
            _ = try await fetch("a", from: 0, count: 1, principal: "FileProviderTests.FakeRemote")
        }
        #expect(failure?.code == .notSupported)
    }

    @Test(
        "a part that cannot be is refused before the provider is called",
        arguments: [(-1, 5), (0, 0), (5, -1), (0, (1 << 53) + 1), ((1 << 53) + 1, 1), (Int.max, Int.max)])
    func impossible(_ offset: Int, _ count: Int) async throws {
        let failure = await #expect(throws: Failure.self) { _ = try await fetch("a", from: offset, count: count) }
        #expect(failure?.code == .invalidArgument)
    }

    @Test("a part needs a version that can be one", arguments: ["", String(repeating: "v", count: 129)])
    func versions(_ version: String) async throws {
        let failure = await #expect(throws: Failure.self) {
            _ = try await fetch("a", version: version, from: 0, count: 1)
        }
        #expect(failure?.code == .invalidArgument)
    }

    @Test(
        "content of another version, missing bytes and surplus bytes are errors",
        arguments: [
            ("a", "v0", FailureCode.versionOutOfDate), ("other", "v1", .versionOutOfDate), ("short", "v1", .failed),
            ("long", "v1", .invalidArgument),
        ])
    func wrong(_ identifier: String, _ version: String, _ code: FailureCode) async throws {
        let failure = await #expect(throws: Failure.self) {
            _ = try await fetch(identifier, version: version, from: 100, count: 1_000)
        }
        #expect(failure?.code == code)
    }

    @Test("progress counts what was written, never goes back, and knows the total that the provider reports")
    func progress() async throws {
        let (replies, bytes) = try await fetch("slow", from: 0, count: 300_000)
        #expect(bytes.count == 300_000)
        let reports = replies.dropLast()
        #expect(reports.count > 1)
        #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.completedBytes <= $1.completedBytes })
        #expect(reports.allSatisfy { $0.version == nil && $0.completedBytes <= 300_000 })
        #expect(reports.last?.totalBytes == 400_000)
        #expect(replies.last?.completedBytes == 300_000)
    }

    @Test("a provider that prepares the content extends its deadline without writing")
    func preparing() async throws {
        let (replies, _) = try await fetch("preparing", from: 0, count: 10)
        #expect(replies.count > 1)
        #expect(replies.first?.completedBytes == 0)
    }

    @Test(
        "a host that closes the pipe early gets a normal end, with the version if the provider confirms it",
        arguments: [("a", nil), ("confirming", "v1"), ("slow", nil)] as [(String, String?)])
    func closed(_ identifier: String, _ version: String?) async throws {
        let host = try await ExtensionUnderTest("FileProviderTests.FakeRanges")
        let pipe = try FakePipe()
        let descriptors = DescriptorList(OwnedDescriptor(pipe.writing))
        let call = Task {
            try await host.connection.call(
                Interface.FetchRange.self,
                .init(
                    domain: "", identifier: identifier, version: "v1", offset: 0, length: 400_000, destination: 0),
                descriptors: descriptors, deadline: .seconds(60)
            ).value
        }
        #expect(await pipe.hasFirstByte())
        pipe.closeReading()
        let reply = try await call.value
        #expect(reply.version == version)
        #expect((1..<400_000).contains(reply.completedBytes))
        // The extension is still there.
        #expect(try await host.call(Interface.Item.self, .init(domain: "", identifier: "a")).item.name == "a")
    }

    @Test("a destination that cannot be written is refused")
    func readOnly() async throws {
        let host = try await ExtensionUnderTest("FileProviderTests.FakeRanges")
        let pipe = try FakePipe()
        defer { close(pipe.writing) }
        let descriptors = DescriptorList(OwnedDescriptor(pipe.reading))
        let failure = await #expect(throws: Failure.self) {
            _ = try await host.connection.call(
                Interface.FetchRange.self,
                .init(domain: "", identifier: "a", version: "v1", offset: 0, length: 1, destination: 0),
                descriptors: descriptors, deadline: .seconds(60))
        }
        #expect(failure?.code == .invalidArgument)
    }
}
