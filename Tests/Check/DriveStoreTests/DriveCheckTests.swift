import Testing

@testable import DriveStore

/// The check of all objects of a drive.
struct DriveCheckTests {
    private let store = MemoryStore()
    private let keys = DriveKeys.new()

    /// The problems of a whole check in steps of one object.
    private func check(_ device: TestDevice) async throws -> (problems: [String], done: Int, total: Int) {
        var problems: [String] = []
        var (done, total) = (0, 0)
        var next: String?
        repeat {
            let step = try await device.drive.check(from: next, within: .zero)
            problems += step.problems.map(\.object)
            done += step.done
            total = step.total
            #expect(step.done <= 1)
            next = step.next
        } while next != nil
        return (problems, done, total)
    }

    /// Two devices with segments, packs and a checkpoint.
    private func devices() async throws -> (one: TestDevice, two: TestDevice) {
        let one = try TestDevice(store, keys)
        let two = try TestDevice(store, keys)
        for number in 0..<600 { _ = try await one.drive.create("folder \(number)", in: .root) }
        try await one.drive.append()
        for number in 0..<600 { _ = try await one.drive.create("other \(number)", in: .root) }
        var random = SeededRandom(1)
        _ = try await one.drive.createDocument("large", random.bytes(9_000_000))
        try await one.drive.append()
        try await one.drive.writeCheckpoint()
        try await two.drive.append()
        try await two.drive.read()
        return (one, two)
    }

    @Test("a drive without a fault has no problem, and every object is examined once")
    func aDriveWithoutAFault() async throws {
        let (one, two) = try await devices()
        for device in [one, two] {
            let result = try await check(device)
            #expect(result.problems == [] && result.done == result.total)
            let stored = store.names.filter { $0.hasPrefix("log/") || $0.hasPrefix("packs/") }
            #expect(stored.count >= 3)
            // And the content of the document, and the checkpoint.
            #expect(result.done == stored.count + 2)
        }
    }

    @Test("what is missing or was changed is found", arguments: ["log/", "packs/", "checkpoints/"])
    func whatIsMissingOrWasChanged(prefix: String) async throws {
        let (_, two) = try await devices()
        let names = store.names.filter { $0.hasPrefix(prefix) && !$0.hasSuffix(".0") }
        let name = try #require(names.first)
        let right = try #require(store.bytes(name))
        var wrong = right
        wrong[right.count / 3] ^= 4
        for bytes in [nil, wrong] {
            store.tamper(name, bytes)
            #expect(try await check(two).problems.contains(name))
        }
        store.tamper(name, names.last == name ? nil : store.bytes(names.last ?? ""))
        #expect(try await check(two).problems.contains(name), "another one in its place")
        store.tamper(name, right)
        #expect(try await check(two).problems == [])
    }

    @Test("a store that cannot be reached is no problem of the drive")
    func aStoreThatCannotBeReached() async throws {
        let counter = Counter(crashAt: .max)
        let device = try TestDevice(FaultyStore(store) { counter.next() ? .lostRequest : .none }, keys)
        _ = try await device.drive.createDocument("a", [UInt8](repeating: 1, count: 100_000))
        try await device.drive.append()
        counter.crash(at: 0)
        await #expect(throws: DriveError.self) { try await device.drive.check(from: nil) }
        #expect(await device.drive.alarms.isEmpty)
        #expect(try await check(device).problems == [])
    }
}
