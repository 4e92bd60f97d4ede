import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// A document of a real server of which a program reads parts.
@Suite(.needs(.daemon, .server)) struct PartialReadingTests {
    private static let size = 24 << 20
    private static let megabyte = 1 << 20

    /// Content that differs at each place.
    private static func content(seed: UInt8 = 1) -> Data {
        var bytes = [UInt8](repeating: 0, count: size)
        var state = UInt32(seed) &* 2_654_435_761 | 1
        for index in bytes.indices {
            state ^= state << 13
            state ^= state >> 17
            state ^= state << 5
            bytes[index] = UInt8(truncatingIfNeeded: state)
        }
        return Data(bytes)
    }

    private struct World {
        let remote: RemoteInstallation
        let proxy: FaultProxy
        let client: DocumentsClient
        let content: Data

        func open() async throws -> PartialReading {
            let location = DocumentLocation(provider: RemoteInstallation.provider, domain: "work", path: "/a.bin")
            let document = try await DocumentPicker(client: client).openDocument(at: location)
            return try await document.openForReading(partial: true)
        }

        /// The bytes of content that the server has sent.
        func fetched() async throws -> Int {
            try await proxy.requests("GET").reduce(0) { $0 + $1.responseBytes }
        }

        func expectFetched(_ count: Int, _ location: SourceLocation = #_sourceLocation) async throws {
            let requests = try await proxy.requests("GET")
            #expect(
                requests.reduce(0) { $0 + $1.responseBytes } == count,
                "\(requests.map { "\($0.range ?? "") \($0.status ?? 0) \($0.responseBytes) \($0.finished)" })",
                sourceLocation: location)
        }

        func expect(
            _ reading: PartialReading, _ range: Range<Int>, _ location: SourceLocation = #_sourceLocation
        ) async throws {
            let bytes = try await reading.read(range)
            let expected = content[range.clamped(to: 0..<content.count)]
            #expect(difference(bytes, from: expected) == nil, sourceLocation: location)
        }
    }

    private static func with(
        environment: [String: String] = [:], settings: [String] = [], _ body: (World) async throws -> Void
    ) async throws {
        let content = content()
        try await RemoteInstallation.with(
            options: .init(isAlwaysFresh: false, environment: environment, settings: settings),
            prepare: { try await $0.put(content, "a.bin") }
        ) { remote in
            // A version that is a moment old may stand for two contents.
            try await Task.sleep(for: .seconds(3))
            let client = remote.installation.client()
            defer { client.close() }
            try await body(World(remote: remote, proxy: try #require(remote.proxy), client: client, content: content))
        }
    }

    @Test("the end of a large document is here after at most two requests, and only a little of it was fetched")
    func lastPart() async throws {
        try await Self.with { world in
            let reading = try await world.open()
            #expect(!reading.isComplete && reading.size == Self.size)
            let before = try await world.proxy.requests().count
            try await world.expect(reading, Self.size - Self.megabyte..<Self.size)
            #expect(try await world.proxy.requests().count <= before + 2)
            #expect(try await world.fetched() <= 2 * Self.megabyte)
            #expect(!reading.isComplete)
            try await world.expect(reading, Self.size - 10..<Self.size + 500)
            try await world.expect(reading, Self.size + 5..<Self.size + 500)
        }
    }

    @Test("reading here and there, to the end, and as a whole fetches no byte twice; then it is a local copy")
    func once() async throws {
        try await Self.with { world in
            let reading = try await world.open()
            for place in [17 * Self.megabyte, 3 * Self.megabyte + 5, 9_999_999, 0] {
                try await world.expect(reading, place..<place + 100_000)
            }
            async let first: Void = world.expect(reading, 0..<Self.size / 2)
            async let second: Void = world.expect(reading, Self.size / 3..<Self.size)
            _ = try await (first, second)
            #expect(reading.isComplete)
            try await world.expectFetched(Self.size)
            let cat = try await world.remote.docent("cat", world.remote.location("a.bin")).succeeded()
            #expect(difference(cat.output, from: world.content) == nil)
            try await world.expectFetched(Self.size)
            try await world.remote.installation.eventually("the local copy") {
                try await world.remote.info("a.bin").isDownloaded
            }
        }
    }

    @Test("a download of the whole fetches only what is missing, also when both run at the same time")
    func whole() async throws {
        try await Self.with { world in
            try await world.proxy.add(.throttle(8 << 20).on("GET").always)
            let whole = Task { try await world.remote.docent("cat", world.remote.location("a.bin")).succeeded() }
            _ = try await world.proxy.request("the download") { $0.method == "GET" && $0.responseBytes > 0 }
            let reading = try await world.open()
            try await world.expect(reading, Self.size - 100_000..<Self.size)
            #expect(difference(try await whole.value.output, from: world.content) == nil)
            try await world.expect(reading, 0..<Self.size)
            // What was under way in the pipe when the download made way, at most.
            #expect(try await world.fetched() <= Self.size + 2 * Self.megabyte)
        }
    }

    @Test(
        "what was fetched is still here after a kill of the daemon, and an open reading goes on",
        arguments: [false, true])
    func killed(isOpen: Bool) async throws {
        try await Self.with { world in
            var reading = try await world.open()
            try await world.expect(reading, 0..<4 * Self.megabyte)
            // It is recorded once a second.
            try await Task.sleep(for: .seconds(3))
            let fetched = try await world.fetched()
            try await world.remote.killDaemon()
            if !isOpen {
                reading.close()
                reading = try await world.open()
            }
            do {
                try await world.expect(reading, 0..<Self.megabyte)
            } catch let error as DocumentsError where isOpen && error.code == .notPermitted {
                // The right lasted as long as the session.
                let location = DocumentLocation(provider: RemoteInstallation.provider, domain: "work", path: "/a.bin")
                _ = try await DocumentPicker(client: world.client).openDocument(at: location)
                try await world.expect(reading, 0..<Self.megabyte)
            }
            try await world.expect(reading, 10 * Self.megabyte..<11 * Self.megabyte)
            #expect(try await world.fetched() <= fetched + 6 * Self.megabyte)
        }
    }

    @Test("two open readings get their own documents after a kill of the daemon, in whichever order they go on")
    func killedWithTwo() async throws {
        try await Self.with { world in
            let other = Self.content(seed: 5)
            try await world.remote.server.put(other, "b.bin")
            try await Task.sleep(for: .seconds(3))
            let place = DocumentLocation(provider: RemoteInstallation.provider, domain: "work", path: "/b.bin")
            let picker = DocumentPicker(client: world.client)
            let first = try await world.open()
            let second = try await picker.openDocument(at: place).openForReading(partial: true)
            try await world.expect(first, 0..<1000)
            #expect(difference(try await second.read(0..<1000), from: other[0..<1000]) == nil)
            try await world.remote.killDaemon()
            _ = try await picker.openDocument(at: place)
            let range = 9 * Self.megabyte..<9 * Self.megabyte + 1000
            #expect(difference(try await second.read(range), from: other[range]) == nil)
            let top = DocumentLocation(provider: RemoteInstallation.provider, domain: "work", path: "/a.bin")
            _ = try await picker.openDocument(at: top)
            try await world.expect(first, range)
        }
    }

    @Test("another version is an error and never a mixture of the two")
    func changed() async throws {
        try await Self.with { world in
            let reading = try await world.open()
            try await world.expect(reading, 0..<1000)
            let other = Self.content(seed: 9)
            try await world.remote.server.put(other, "a.bin")
            let error = await #expect(throws: DocumentsError.self) {
                try await reading.fetch(12 * Self.megabyte..<13 * Self.megabyte)
            }
            #expect(error?.code == .conflict, "\(String(describing: error))")
            reading.close()
            try await world.remote.installation.eventually("the new content") {
                let again = try await world.open()
                guard let bytes = try? await again.read(12 * Self.megabyte..<12 * Self.megabyte + 1000) else {
                    return false
                }
                return Data(bytes) == other[12 * Self.megabyte..<12 * Self.megabyte + 1000]
            }
        }
    }

    @Test("a range that is cut off is an error, what came of it is kept, and the next read goes on")
    func cut() async throws {
        try await Self.with { world in
            let reading = try await world.open()
            try await world.proxy.add(.cutResponse(after: 500_000).on("GET").always)
            await #expect(throws: DocumentsError.self) {
                try await reading.fetch(8 * Self.megabyte..<9 * Self.megabyte)
            }
            try await world.proxy.clearRules()
            try await world.remote.docent("transfers", "retry").succeeded()
            try await world.remote.installation.eventually("the account") {
                (try? await world.expect(reading, 8 * Self.megabyte..<9 * Self.megabyte)) != nil
            }
        }
    }

    @Test("without the server, what is not here is an error at once, and what is here can be read")
    func offline() async throws {
        try await Self.with { world in
            let reading = try await world.open()
            try await world.expect(reading, 0..<1000)
            try await world.proxy.refuse()
            let error = await #expect(throws: DocumentsError.self) {
                try await reading.fetch(12 * Self.megabyte..<13 * Self.megabyte)
            }
            #expect(error?.code == .unavailable, "\(String(describing: error))")
            try await world.expect(reading, 0..<1000)
        }
    }

    @Test("a server that knows no parts delivers the whole")
    func whole200() async throws {
        try await Self.with { world in
            let reading = try await world.open()
            try await world.proxy.add(.headers(["accept-ranges": nil, "content-range": nil]).on("GET").always)
            try await world.expect(reading, Self.size - 1000..<Self.size)
            #expect(reading.isComplete)
        }
    }

    @Test("a program without a right cannot read, and a right that has ended ends the reading")
    func revoked() async throws {
        try await Self.with { world in
            let reading = try await world.open()
            try await world.expect(reading, 0..<1000)
            try await world.remote.docent("revoke", "--client", "org.docent.tests", "--yes").succeeded()
            let error = await #expect(throws: DocumentsError.self) {
                try await reading.fetch(12 * Self.megabyte..<13 * Self.megabyte)
            }
            #expect(error?.code == .notPermitted, "\(String(describing: error))")
        }
    }

    @Test("a small document is read as a whole")
    func small() async throws {
        try await Self.with { world in
            try await world.remote.server.put("small", "b.txt")
            let location = DocumentLocation(provider: RemoteInstallation.provider, domain: "work", path: "/b.txt")
            let document = try await DocumentPicker(client: world.client).openDocument(at: location)
            let reading = try await document.openForReading(partial: true)
            #expect(reading.isComplete)
            #expect(try await reading.read(0..<100) == Array("small".utf8))
        }
    }
}
