import Testing

@testable import DriveStore

/// A store that shows old, other, changed or missing objects.
struct LyingStoreTests {
    private let store = MemoryStore()
    private let keys = DriveKeys.new()

    private func head(_ drive: DriveDevice) async throws -> String { "devices/\(try #require(await drive.device))" }

    @Test("R7: an old head is reported and not taken in")
    func anOldHeadIsReportedAndNotTakenIn() async throws {
        let one = try TestDevice(store, keys)
        let other = try TestDevice(store, keys)
        _ = try await one.drive.create("a", in: .root)
        try await one.drive.append()
        let name = try await head(one.drive)
        let old = store.bytes(name)
        _ = try await one.drive.create("b", in: .root)
        try await one.drive.append()
        try await other.drive.append()
        try await other.drive.read()
        let new = store.bytes(name)
        store.tamper(name, old)
        try await other.drive.read()
        #expect(await other.drive.alarms.contains { $0.subject == name && $0.error.isRollback })
        #expect(await other.drive.tree.live.count == 2)
        // Its own device writes nothing over it, for something that it had confirmed would be lost.
        _ = try await one.drive.create("c", in: .root)
        await #expect(throws: DriveError.self) { try await one.drive.append() }
        #expect(store.bytes(name) == old)
        // The store shows the truth again: all goes on.
        store.tamper(name, new)
        try await one.drive.append()
        try await other.drive.read()
        #expect(await other.drive.alarms.isEmpty)
        #expect(await other.drive.tree.live.count == 3)
    }

    @Test("a store that is put back to a backup is reported")
    func aStoreThatIsPutBackToABackupIsReported() async throws {
        let one = try TestDevice(store, keys)
        _ = try await one.drive.create("a", in: .root)
        try await one.drive.append()
        let backup = store.snapshot()
        _ = try await one.drive.create("b", in: .root)
        try await one.drive.append()
        for name in store.names { store.tamper(name, backup[name]) }
        await #expect(throws: DriveError.self) { try await one.drive.read() }
        #expect(await !one.drive.alarms.isEmpty)
    }

    @Test("a missing head and a missing segment are reported")
    func aMissingHeadAndAMissingSegmentAreReported() async throws {
        let one = try TestDevice(store, keys)
        let other = try TestDevice(store, keys)
        for number in 0..<1000 { _ = try await one.drive.create("folder \(number)", in: .root) }
        try await one.drive.append()
        let name = try await head(one.drive)
        let segment = try #require(store.names.first { $0.hasPrefix("log/") })
        let bytes = store.bytes(segment)
        store.tamper(segment, nil)
        try await other.drive.append()
        #expect(await other.drive.alarms.contains { $0.subject == name })
        #expect(await other.drive.tree.live.isEmpty)
        store.tamper(segment, bytes)
        try await other.drive.read()
        #expect(await other.drive.alarms.isEmpty)
        #expect(await other.drive.tree.live.count == 1000)
        store.tamper(name, nil)
        try await other.drive.read()
        #expect(await other.drive.alarms.contains { $0.subject == name })
        await #expect(throws: DriveError.self) {
            _ = try await one.drive.create("x", in: .root)
            try await one.drive.append()
        }
    }

    @Test("R7: flipped bits are reported wherever they are")
    func flippedBitsAreReportedWhereverTheyAre() async throws {
        let one = try TestDevice(store, keys)
        let item = try await one.drive.createDocument("a", [UInt8](repeating: 3, count: 100_000))
        try await one.drive.append()
        for name in store.names where !name.hasPrefix("members") {
            let bytes = try #require(store.bytes(name))
            var changed = bytes
            changed[60] ^= 4
            store.tamper(name, changed)
            let other = try TestDevice(store, keys)
            try await other.drive.read()
            if name.hasPrefix("packs/") {
                await #expect(throws: DriveError.self) { try await other.drive.bytes(of: item) }
            } else {
                #expect(await other.drive.tree.live.isEmpty)
            }
            #expect(await other.drive.alarms.contains { $0.subject == name })
            store.tamper(name, bytes)
        }
    }

    @Test("a head in the place of another is reported")
    func aHeadInThePlaceOfAnotherIsReported() async throws {
        let one = try TestDevice(store, keys)
        let two = try TestDevice(store, keys)
        try await one.drive.append()
        _ = try await one.drive.create("a", in: .root)
        _ = try await two.drive.create("b", in: .root)
        try await one.drive.append()
        try await two.drive.append()
        let name = try await head(one.drive)
        store.tamper(name, store.bytes(try await head(two.drive)))
        let other = try TestDevice(store, keys)
        try await other.drive.read()
        #expect(await other.drive.alarms.contains { $0.subject == name && $0.error.isTampering })
        #expect(await other.drive.tree.live.count == 1)
    }

    @Test("R7: another past of a device is reported")
    func anotherPastOfADeviceIsReported() async throws {
        let one = try TestDevice(store, keys)
        _ = try await one.drive.create("a", in: .root)
        try await one.drive.append()
        let other = try TestDevice(store, keys)
        try await other.drive.read()
        // The device itself writes another past, as one with bad intentions would.
        let name = try await head(one.drive)
        var forged = try #require(await one.drive.state.own?.head)
        forged.sequence += 1
        let record = await one.drive.record(.device(name: "other"))
        forged.tail = Array(repeating: record.encoded, count: forged.tail.count)
        forged.position = LogPosition.start.adding(forged.tail)
        store.tamper(name, try await one.drive.seal(forged))
        try await other.drive.read()
        #expect(await other.drive.alarms.contains { $0.subject == name && $0.error.isFork })
    }

    @Test("what the store hides from one device shows when another has read it")
    func whatTheStoreHidesFromOneDeviceShowsWhenAnotherHasReadIt() async throws {
        let one = try TestDevice(store, keys)
        let two = try TestDevice(store, keys)
        let three = try TestDevice(store, keys)
        for device in [one, two, three] {
            _ = try await device.drive.create("first", in: .root)
            try await device.drive.append()
        }
        try await three.drive.read()
        let name = try await head(one.drive)
        let old = store.bytes(name)
        _ = try await one.drive.create("hidden", in: .root)
        try await one.drive.append()
        try await two.drive.read()
        _ = try await two.drive.create("after", in: .root)
        try await two.drive.append()
        store.tamper(name, old)
        try await three.drive.read()
        #expect(await three.drive.alarms.contains { $0.subject == name && $0.error.isRollback })
    }

    @Test("a list of members that lacks somebody is reported")
    func aListOfMembersThatLacksSomebodyIsReported() async throws {
        let one = try TestDevice(store, keys)
        try await one.drive.append()
        let old = store.bytes("members")
        let two = try TestDevice(store, keys)
        try await two.drive.append()
        try await one.drive.read()
        store.tamper("members", old)
        let three = try TestDevice(store, keys)
        _ = try? await three.drive.append()
        await #expect(throws: DriveError.self) { try await one.drive.read() }
        #expect(await one.drive.alarms.contains { $0.subject == "members" })
    }
}

extension DriveError {
    var isRollback: Bool { if case .rolledBack = self { true } else { false } }
    var isFork: Bool { if case .forked = self { true } else { false } }
    var isTampering: Bool { if case .tampered = self { true } else { false } }
}
