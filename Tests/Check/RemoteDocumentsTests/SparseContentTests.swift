import DocentInterfaces
import DocentTestSupport
import Foundation
import Records
import RemoteDocuments
import Rights
import Synchronization
import Testing

@testable import Storage

/// Reading parts of a content, with a provider that does what the test says.
@Suite(.mayBlock) struct SparseContentTests {
    private static let size: Int64 = 100 << 20
    private static let megabyte: Int64 = 1 << 20

    /// A fetch that has begun and waits for the test.
    private struct Fetch: Sendable {
        let range: Range<Int64>
        let arrival: RangeArrival
        let end: @Sendable ((any Error)?) -> Void
    }

    private final class Fetches: Sendable {
        private let all = Mutex<[Fetch]>([])

        var count: Int { all.withLock { $0.count } }
        var ranges: [Range<Int64>] { all.withLock { $0.map(\.range) } }
        subscript(_ index: Int) -> Fetch { all.withLock { $0[index] } }

        func add(_ fetch: Fetch) { all.withLock { $0.append(fetch) } }

        func run(_ range: Range<Int64>, _ arrival: RangeArrival) async throws {
            let (stream, continuation) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
            add(
                Fetch(range: range, arrival: arrival) { error in
                    continuation.yield(error.map { .failure($0) } ?? .success(()))
                })
            for await result in stream { return try result.get() }
            throw CancellationError()
        }

        func wait(for count: Int) async throws {
            while self.count < count { try await Task.sleep(for: .milliseconds(2)) }
        }
    }

    private struct World: Sendable {
        let content: SparseContent
        let fetches: Fetches

        func require(_ range: Range<Int64>) -> Task<Void, any Error> {
            Task { [content] in try await content.require(range) }
        }
    }

    private static func with(
        here: ByteRanges = ByteRanges(), size: Int64 = size, _ body: @Sendable (World) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        let fetches = Fetches()
        let file = try PartialFile.create(try FileName("part"), in: try Directory(path: OwnPath(folder.path)))
        let item = RemoteItem(
            key: ItemKey(provider: "p", domain: "d", identifier: "i"),
            description: ItemDescription(identifier: "i", parent: ".root", name: "a", isFolder: false))
        let content = try SparseContent(item, size: size, file: file, here: here) { _, range, arrival in
            try await fetches.run(range, arrival)
        }
        try await body(World(content: content, fetches: fetches))
        withExtendedLifetime(folder) {}
    }

    @Test("what is here is not fetched")
    func here() async throws {
        try await Self.with(here: ByteRanges(0..<Self.size)) { world in
            try await world.content.require(5..<Self.size)
            #expect(world.fetches.count == 0 && world.content.isComplete)
        }
    }

    @Test("two who want the same share one fetch, and only what is missing is fetched")
    func shared() async throws {
        try await Self.with(here: ByteRanges(Self.megabyte / 2..<2 * Self.megabyte)) { world in
            let (one, other) = (world.require(0..<100), world.require(50..<200))
            try await world.fetches.wait(for: 1)
            #expect(world.fetches[0].range == 0..<Self.megabyte / 2)
            world.fetches[0].end(nil)
            try await one.value
            try await other.value
            #expect(world.fetches.ranges.allSatisfy { !$0.overlaps(Self.megabyte / 2..<2 * Self.megabyte) })
            let all = world.fetches.ranges
            for (index, range) in all.enumerated() {
                #expect(all[(index + 1)...].allSatisfy { !$0.overlaps(range) }, "fetched twice: \(all)")
            }
        }
    }

    @Test("bytes can be read as they come once the provider has confirmed their version, and not before")
    func confirmed() async throws {
        try await Self.with { world in
            let reader = world.require(0..<1000)
            try await world.fetches.wait(for: 1)
            world.fetches[0].arrival.arrived(500_000)
            #expect(world.content.count(in: 0..<1000) == 0)
            world.fetches[0].arrival.confirmed()
            try await reader.value
            #expect(world.content.count(from: 0) == 500_000)
            world.fetches[0].arrival.arrived(600_000)
            try await world.content.require(0..<600_000)
        }
    }

    @Test("a failed fetch fails those who wait for its bytes, and no others; the next read tries again")
    func failed() async throws {
        try await Self.with { world in
            let (near, far) = (world.require(0..<1000), world.require(50 * Self.megabyte..<51 * Self.megabyte))
            try await world.fetches.wait(for: 2)
            let (first, second) = world.fetches[0].range.lowerBound == 0 ? (0, 1) : (1, 0)
            world.fetches[first].end(Failure(.unavailable, "It cannot be reached."))
            let failure = await #expect(throws: Failure.self) { try await near.value }
            #expect(failure?.code == .unavailable)
            world.fetches[second].end(nil)
            try await far.value
            let again = world.require(0..<1000)
            try await world.fetches.wait(for: 3)
            world.fetches[2].end(nil)
            try await again.value
        }
    }

    @Test("what a failed fetch had brought, with its version confirmed, is kept")
    func keptParts() async throws {
        try await Self.with { world in
            let reader = world.require(0..<Self.megabyte)
            try await world.fetches.wait(for: 1)
            world.fetches[0].arrival.confirmed()
            world.fetches[0].arrival.arrived(1000)
            world.fetches[0].end(Failure(.unavailable, "It was cut."))
            await #expect(throws: Failure.self) { try await reader.value }
            try await world.content.require(0..<1000)
            let rest = world.require(0..<Self.megabyte)
            try await world.fetches.wait(for: 2)
            #expect(world.fetches[1].range.lowerBound == 1000)
            world.fetches[1].end(nil)
            try await rest.value
        }
    }

    @Test("nothing is kept of a part that is refused in the end, although its version had been confirmed")
    func refused() async throws {
        try await Self.with { world in
            let reader = world.require(0..<Self.megabyte)
            try await world.fetches.wait(for: 1)
            world.fetches[0].arrival.confirmed()
            world.fetches[0].arrival.arrived(1000)
            world.fetches[0].end(Failure(.providerFailed, "It was something else."))
            await #expect(throws: Failure.self) { try await reader.value }
            #expect(world.content.count(in: 0..<Self.megabyte) == 0)
        }
    }

    @Test("who does not wait any more is let go; the fetch goes on")
    func cancelled() async throws {
        try await Self.with { world in
            let reader = world.require(0..<1000)
            try await world.fetches.wait(for: 1)
            reader.cancel()
            await #expect(throws: CancellationError.self) { try await reader.value }
            world.fetches[0].end(nil)
            try await world.content.require(0..<1000)
            #expect(world.fetches.count == 1)
        }
    }

    @Test("reading a large range to its end fetches all of it, each byte once")
    func whole() async throws {
        try await Self.with { world in
            let reader = world.require(0..<Self.size)
            var answered = 0
            while !world.content.isComplete {
                try await world.fetches.wait(for: answered + 1)
                world.fetches[answered].end(nil)
                answered += 1
                if world.fetches.count == answered { try await Task.sleep(for: .milliseconds(5)) }
                if world.content.isComplete { break }
            }
            try await reader.value
            var all = ByteRanges()
            var sum: Int64 = 0
            for range in world.fetches.ranges {
                all.insert(range)
                sum += Int64(range.count)
            }
            #expect(all.text == "0-\(Self.size)" && sum == Self.size)
        }
    }
}
