import Testing

@testable import DriveStore

/// Freeing space: packs that nobody needs are removed after everybody has agreed.
struct DriveCollectionTests {
    private let store = MemoryStore()
    private let keys = DriveKeys.new(phraseKey: RecoveryPhrase.new().publicKey)

    private var packs: [String] { store.names.filter { $0.hasPrefix("packs/") } }

    private func devices(_ names: String...) async throws -> [TestDevice] {
        let devices = try names.map { try TestDevice(store, keys, name: $0) }
        for device in devices { try await device.drive.append() }
        for device in devices { try await device.drive.read() }
        return devices
    }

    private func look(_ devices: TestDevice...) async throws {
        for device in devices {
            try await device.drive.append()
            try await device.drive.read()
            try await device.drive.append()
        }
    }

    private func content(_ seed: UInt64, _ size: Int = 40_000) -> [UInt8] {
        var random = SeededRandom(seed)
        return random.bytes(size)
    }

    @Test("R6: what was deleted is freed when all have acknowledged, and a trial changes nothing")
    func whatWasDeleted() async throws {
        let all = try await devices("one", "two")
        let (one, two) = (all[0].drive, all[1].drive)
        let gone = try await one.createDocument("gone", content(1))
        let kept = try await one.createDocument("kept", content(2))
        try await look(all[0], all[1])
        #expect(packs.count == 2)
        #expect(try await one.collect(keepDays: 0).state == .nothing)
        try await two.trash([gone])
        try await look(all[1], all[0])
        #expect(try await one.collect(keepDays: 30).state == .nothing, "the trash keeps it for a while")
        let trial = try await one.collect(keepDays: 0, isTrial: true)
        #expect(trial.state == .found && trial.packs == 1 && trial.items == 1 && trial.bytes > 40_000)
        #expect(await one.tree.purged.isEmpty)
        #expect(await one.unsent == 0)
        let waiting = try await one.collect(keepDays: 0)
        #expect(waiting.state == .waiting && waiting.waitsFor.map(\.name) == ["two"])
        #expect(try await one.collect(keepDays: 0).state == .waiting && packs.count == 2)
        try await look(all[1])
        let freed = try await one.collect(keepDays: 0)
        #expect(freed.state == .freed && freed.packs == 1 && freed.bytes == trial.bytes && packs.count == 1)
        try await look(all[1])
        for drive in [one, two] {
            #expect(try await drive.bytes(of: kept) == content(2))
            #expect(await drive.state.chunks.count == 1)
            #expect(await drive.state.lists.isEmpty)
            #expect(try await drive.check(from: nil).problems.isEmpty)
        }
        #expect(try await one.collect(keepDays: 0).state == .nothing)
        // The same content again is sent again.
        let again = try await two.createDocument("again", content(1))
        try await look(all[1], all[0])
        #expect(try await one.bytes(of: again) == content(1))
    }

    @Test("older versions are kept for some days; a leftover of an upload goes")
    func olderVersions() async throws {
        let all = try await devices("one")
        let one = all[0].drive
        let item = try await one.createDocument("a", content(1))
        let first = try #require(await one.tree.current[item])
        try await one.add(try await one.sent(content(2)), to: item, parents: [first])
        try await one.append()
        #expect(try await one.collect(keepDays: 1).state == .nothing)
        store.tamper("packs/\(DriveIdentifier.random())", content(3))
        #expect(try await one.collect(keepDays: 0).packs == 2)
        #expect(packs.count == 1)
        #expect(try await one.bytes(of: item) == content(2))
        #expect(try await one.check(from: nil).problems.isEmpty)
    }

    @Test("R6: what another machine still refers to is found before anything is removed, or is sent again")
    func whatAnotherStillRefersTo() async throws {
        let all = try await devices("one", "two", "three")
        let (one, two, three) = (all[0].drive, all[1].drive, all[2].drive)
        let gone = try await one.createDocument("gone", content(1))
        try await look(all[0], all[1], all[2])
        // Two has found the chunk here and has not said so yet; three is in the middle of it.
        let found = try await two.createDocument("of two", content(1))
        let half = try await three.sent(content(1))
        try await one.trash([gone])
        #expect(try await one.collect(keepDays: 0).state == .waiting)
        try await three.read()
        await #expect(throws: DriveError.self) { _ = try await three.create("of three", in: .root, content: half) }
        let again = try await three.createDocument("of three", content(1))
        try await look(all[1], all[2])
        #expect(packs.count == 2, "three has sent it again")
        let freed = try await one.collect(keepDays: 0)
        #expect(freed.state == .freed && freed.packs == 0, "two needs it")
        try await look(all[1], all[2], all[0])
        for drive in [one, two, three] {
            #expect(try await drive.bytes(of: found) == content(1))
            #expect(try await drive.bytes(of: again) == content(1))
            let alarms = await drive.alarms
            #expect(alarms.isEmpty)
        }
    }

    @Test("R6: an acknowledgement does not go out before the records that it has to follow", arguments: 0..<6)
    func acknowledgementsComeLast(request: Int) async throws {
        let store = MemoryStore()
        let counter = Counter(crashAt: .max)
        let one = try TestDevice(store, keys)
        let two = try TestDevice(FaultyStore(store) { counter.next() ? .lostRequest : .none }, keys)
        for device in [one, two] { try await device.drive.append() }
        let gone = try await one.drive.createDocument("gone", content(1))
        try await look(one, two)
        // More than one head carries, and behind it a document whose chunk is in the store already.
        for number in 0..<80 {
            _ = try await two.drive.createDocument("\(number)", content(UInt64(100 + number), 16_000))
        }
        let found = try await two.drive.createDocument("found", content(1))
        try await one.drive.trash([gone])
        #expect(try await one.drive.collect(keepDays: 0).state == .waiting)
        try await two.drive.read()
        counter.crash(at: request)
        _ = try? await two.drive.append()
        counter.crash(at: .max)
        _ = try await one.drive.collect(keepDays: 0)
        try await look(two)
        _ = try await one.drive.collect(keepDays: 0)
        try await look(two, one)
        for drive in [one.drive, two.drive] { #expect(try await drive.bytes(of: found) == content(1)) }
    }

    @Test("a restore that the purge did not know keeps its content")
    func aRestore() async throws {
        let all = try await devices("one", "two")
        let item = try await all[0].drive.createDocument("a", content(1))
        try await all[0].drive.trash([item])
        try await look(all[0], all[1])
        try await all[1].drive.restore(item)
        #expect(try await all[0].drive.collect(keepDays: 0).state == .waiting)
        try await look(all[1])
        #expect(try await all[0].drive.collect(keepDays: 0).packs == 0)
        try await look(all[1])
        #expect(try await all[1].drive.bytes(of: item) == content(1))
    }

    @Test("a machine that is away for a year holds it up until it is removed; when it comes back, nothing is lost")
    func aMachineThatIsAwayForAYear() async throws {
        let all = try await devices("one", "two")
        let one = all[0].drive
        let lost = try #require(await all[1].drive.device)
        let item = try await one.createDocument("a", content(1))
        try await look(all[0], all[1])
        let unsent = try await all[1].drive.createDocument("unsent", content(1))
        try await one.trash([item])
        #expect(try await one.collect(keepDays: 0).state == .waiting)
        try await one.remove(lost)
        #expect(try await one.collect(keepDays: 0).state == .freed && packs.isEmpty)
        let scratch = try Scratch()
        try all[1].scratch.copy(to: scratch)
        let again = try TestDevice(store, await one.keys, name: "two", scratch: scratch)
        try await again.drive.append()
        try await one.read()
        let version = try #require(await one.tree.current[unsent])
        #expect(await !one.tree.arrived.contains(version), "the pack is gone: the content is asked for again")
        let source = BytesSource(content(1))
        let packs = try await again.drive.send(source, as: try await again.drive.measure(source))
        try await again.drive.arrived(version, packs: packs)
        try await again.drive.append()
        try await one.read()
        #expect(try await one.bytes(of: unsent) == content(1))
    }

    @Test("R6: cut off at any request, it goes on at its repetition", arguments: 0..<26)
    func cutOff(request: Int) async throws {
        for fate in [FaultyStore.Fate.lostRequest, .lostReply] {
            let store = MemoryStore()
            let counter = Counter(crashAt: .max)
            let faulty = FaultyStore(store) { counter.next() ? fate : .none }
            let one = try TestDevice(faulty, keys)
            let two = try TestDevice(store, keys)
            for device in [one, two] { try await device.drive.append() }
            let gone = try await one.drive.createDocument("gone", content(1))
            let kept = try await one.drive.createDocument("kept", content(2))
            try await look(one, two)
            try await one.drive.trash([gone])
            try await one.drive.append()
            var again = one
            counter.crash(at: request)
            for _ in 0..<20 {
                do {
                    if try await again.drive.collect(keepDays: 0).state == .nothing { break }
                } catch {
                    // The process ends, and begins anew.
                    let scratch = try Scratch()
                    try again.scratch.copy(to: scratch)
                    again = try TestDevice(faulty, keys, deviceKeys: one.deviceKeys, scratch: scratch)
                }
                try await look(two)
            }
            counter.crash(at: .max)
            #expect(store.names.filter { $0.hasPrefix("packs/") }.count == 1)
            try await look(again, two)
            for drive in [again.drive, two.drive] {
                #expect(try await drive.bytes(of: kept) == content(2))
                #expect(try await drive.check(from: nil).problems.isEmpty)
                #expect(await drive.state.lists.isEmpty)
            }
        }
    }

    @Test("two at once, in any order of their requests", arguments: 0..<16)
    func twoAtOnce(request: Int) async throws {
        let store = MemoryStore()
        let counter = Counter(crashAt: .max)
        let other = Later()
        let one = try TestDevice(
            FaultyStore(store) {
                if counter.next() { await other.run() }
                return .none
            }, keys)
        let two = try TestDevice(store, keys)
        for device in [one, two] { try await device.drive.append() }
        let gone = try await one.drive.createDocument("gone", content(1))
        let kept = try await one.drive.createDocument("kept", content(2))
        try await look(one, two)
        try await one.drive.trash([gone])
        try await look(one, two)
        other.set {
            _ = try? await two.drive.collect(keepDays: 0)
            _ = try? await two.drive.createDocument("again", self.content(1))
        }
        counter.crash(at: request)
        for _ in 0..<8 {
            _ = try? await one.drive.collect(keepDays: 0)
            _ = try? await two.drive.collect(keepDays: 0)
            try await look(one, two)
        }
        await other.run()
        try await look(two, one)
        for drive in [one.drive, two.drive] {
            #expect(try await drive.bytes(of: kept) == content(2))
            let tree = await drive.tree
            for item in tree.live { _ = try await drive.bytes(of: item) }
            #expect(try await drive.check(from: nil).problems.isEmpty)
        }
    }

    @Test("nothing is removed while another machine's objects cannot be read")
    func unreadable() async throws {
        let all = try await devices("one", "two")
        let item = try await all[0].drive.createDocument("a", content(1))
        try await look(all[0], all[1])
        try await all[0].drive.trash([item])
        #expect(try await all[0].drive.collect(keepDays: 0).state == .waiting)
        let name = "devices/\(try #require(await all[1].drive.device))"
        let old = try #require(store.bytes(name))
        try await look(all[1])
        let right = try #require(store.bytes(name))
        var wrong = right
        wrong[70] ^= 1
        for bytes in [wrong, nil] {
            store.tamper(name, bytes)
            await #expect(throws: DriveError.self) { try await all[0].drive.collect(keepDays: 0) }
            #expect(packs.count == 1)
        }
        store.tamper(name, old)
        #expect(try await all[0].drive.collect(keepDays: 0).state == .waiting, "an old head has not acknowledged")
        // And while the list itself is missing or another.
        store.tamper(name, right)
        #expect(try await all[0].drive.collect(keepDays: 0).state == .freed)
    }

    @Test("a list that is missing or was changed is reported, and is not acknowledged")
    func aWrongList() async throws {
        let all = try await devices("one", "two")
        let item = try await all[0].drive.createDocument("a", content(1))
        try await look(all[0], all[1])
        try await all[0].drive.trash([item])
        _ = try await all[0].drive.collect(keepDays: 0)
        let name = try #require(store.names.first { $0.hasPrefix("unused/") })
        let right = try #require(store.bytes(name))
        var wrong = right
        wrong[right.count - 20] ^= 1
        for bytes in [wrong, nil] {
            store.tamper(name, bytes)
            try await look(all[1])
            #expect(await !all[1].drive.alarms.isEmpty)
            #expect(try await all[0].drive.collect(keepDays: 0).state == .waiting)
        }
        store.tamper(name, right)
        try await look(all[1])
        #expect(await all[1].drive.alarms.isEmpty)
        #expect(try await all[0].drive.collect(keepDays: 0).state == .freed)
    }
}
