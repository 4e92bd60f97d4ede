import Testing

@testable import DriveStore

/// Mending what a store has lost or changed.
struct DriveRepairTests {
    private let store = MemoryStore()
    private let keys = DriveKeys.new()

    private func repair(_ drive: DriveDevice) async throws -> (mended: [String], problems: [String]) {
        var (mended, problems): ([String], [String]) = ([], [])
        var next: String?
        repeat {
            let step = try await drive.repair(from: next, within: .zero)
            #expect(step.done <= 1)
            mended += step.mended
            problems += step.problems.map(\.object)
            next = step.next
        } while next != nil
        return (mended, problems)
    }

    private func content(_ seed: UInt64, _ size: Int) -> [UInt8] {
        var random = SeededRandom(seed)
        return random.bytes(size)
    }

    private func pack() throws -> String { try #require(store.names.first { $0.hasPrefix("packs/") }) }

    @Test("a drive without a fault stays as it is")
    func nothingToDo() async throws {
        let one = try TestDevice(store, keys)
        _ = try await one.drive.createDocument("a", content(1, 40_000))
        try await one.drive.append()
        let before = store.snapshot()
        let result = try await repair(one.drive)
        #expect(result.mended.isEmpty && result.problems.isEmpty)
        #expect(store.snapshot() == before)
    }

    @Test("the chunks of a broken pack that are right are saved, and what is lost is named")
    func aBrokenPack() async throws {
        let one = try TestDevice(store, keys)
        let two = try TestDevice(store, keys)
        let large = try await one.drive.createDocument("large", content(1, 6_000_000))
        try await one.drive.append()
        try await two.drive.append()
        try await two.drive.read()
        let name = try pack()
        let right = try #require(store.bytes(name))
        var wrong = right
        wrong[1000] ^= 1
        store.tamper(name, wrong)
        let result = try await repair(two.drive)
        #expect(result.mended.isEmpty && result.problems == [name, "large"])
        await #expect(throws: DriveError.self) { try await one.drive.bytes(of: large) }
        // Whoever still has the content saves it again.
        let version = try #require(await two.drive.tree.current[large])
        try await two.drive.add(try await two.drive.sent(content(1, 6_000_000)), to: large, parents: [version])
        let second = try await repair(two.drive)
        #expect(second.mended == [name] && second.problems.isEmpty)
        try await one.drive.read()
        #expect(try await one.drive.bytes(of: large) == content(1, 6_000_000))
        for drive in [one.drive, two.drive] { #expect(try await drive.check(from: nil).problems.isEmpty) }
        #expect(try await one.drive.collect(keepDays: 0).state == .waiting, "the broken pack is of no use any more")
    }

    @Test("a pack whose chunks are all elsewhere is given up")
    func aPackThatIsNotNeeded() async throws {
        let one = try TestDevice(store, keys)
        let first = try await one.drive.createDocument("a", content(1, 40_000))
        try await one.drive.append()
        let name = try pack()
        let bytes = try #require(store.bytes(name))
        store.tamper(name, nil)
        #expect(try await repair(one.drive).problems == [name, "a"])
        _ = try await one.drive.createDocument("b", content(1, 40_000))
        try await one.drive.append()
        #expect(try await repair(one.drive).mended == [name])
        #expect(try await one.drive.bytes(of: first) == content(1, 40_000))
        // It comes back, too late to matter.
        store.tamper(name, bytes)
        #expect(try await one.drive.check(from: nil).problems.isEmpty)
        #expect(try await one.drive.collect(keepDays: 0).packs == 1)
    }

    @Test("a pack that comes back is right again")
    func aPackThatComesBack() async throws {
        let one = try TestDevice(store, keys)
        let first = try await one.drive.createDocument("a", content(1, 40_000))
        try await one.drive.append()
        let name = try pack()
        let bytes = store.bytes(name)
        store.tamper(name, nil)
        #expect(try await repair(one.drive).problems == [name, "a"])
        store.tamper(name, bytes)
        #expect(try await repair(one.drive).problems.isEmpty)
        #expect(await one.drive.state.damaged.isEmpty)
        #expect(try await one.drive.bytes(of: first) == content(1, 40_000))
    }

    @Test("a part of the own log is written again, that of another is not")
    func aPartOfTheLog() async throws {
        let one = try TestDevice(store, keys)
        let two = try TestDevice(store, keys)
        for number in 0..<700 { _ = try await one.drive.create("folder \(number)", in: .root) }
        try await one.drive.append()
        for number in 0..<700 { _ = try await one.drive.create("other \(number)", in: .root) }
        try await one.drive.append()
        try await two.drive.append()
        try await two.drive.read()
        let name = try #require(store.names.first { $0.hasPrefix("log/") })
        var wrong = try #require(store.bytes(name))
        wrong[500] ^= 1
        for bytes in [wrong, nil] {
            store.tamper(name, bytes)
            #expect(try await repair(two.drive).problems == [name])
            #expect(try await repair(one.drive).mended == [name])
            #expect(try await two.drive.check(from: nil).problems.isEmpty)
        }
        let three = try TestDevice(store, keys)
        try await three.drive.read()
        #expect(await three.drive.tree.live.count == 1400)
    }
}
