import Testing

@testable import DriveStore

/// A device that is shut out, and keys that are changed for it.
struct DriveRemovalTests {
    private let store = MemoryStore()
    private let phrase = RecoveryPhrase.new()
    private let keys: DriveKeys

    init() { keys = DriveKeys.new(phraseKey: phrase.publicKey) }

    /// Devices that know each other.
    private func devices(_ names: String..., keys: DriveKeys? = nil) async throws -> [TestDevice] {
        let devices = try names.map { try TestDevice(store, keys ?? self.keys, name: $0) }
        for device in devices { try await device.drive.append() }
        for device in devices { try await device.drive.read() }
        return devices
    }

    private func identifier(_ device: TestDevice) async throws -> DriveIdentifier {
        try #require(await device.drive.device)
    }

    private func names(_ drive: DriveDevice) async -> Set<String> {
        let tree = await drive.tree
        return Set(tree.live.compactMap { tree.shownNames[$0] })
    }

    private func expectNoAlarms(_ drives: DriveDevice..., sourceLocation: SourceLocation = #_sourceLocation) async {
        for drive in drives {
            let alarms = await drive.alarms
            #expect(alarms.isEmpty, sourceLocation: sourceLocation)
        }
    }

    private func expectSame(
        _ left: DriveDevice, _ right: DriveDevice, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let (one, two) = (await left.tree, await right.tree)
        #expect(one.shownNames == two.shownNames && one.parents == two.parents, sourceLocation: sourceLocation)
        #expect(one.current == two.current && one.live == two.live, sourceLocation: sourceLocation)
    }

    @Test("R7: a removed device reads nothing new, what it writes does not count, and the others go on")
    func aRemovedDevice() async throws {
        let all = try await devices("one", "two", "three")
        let (one, two, three) = (all[0].drive, all[1].drive, all[2].drive)
        _ = try await two.create("before", in: .root)
        try await two.append()
        let lost = try await identifier(all[1])
        try await one.remove(lost)
        #expect(await one.keys.epochKeys.count == 2)
        let item = try await one.createDocument("new", [UInt8](repeating: 5, count: 50_000))
        try await one.append()
        // The others take up the key by themselves.
        try await three.read()
        #expect(await three.keys.epoch == one.keys.epoch)
        #expect(try await three.bytes(of: item).count == 50_000)
        _ = try await three.create("from three", in: .root)
        try await three.append()
        try await one.read()
        #expect(await names(one) == ["before", "new", "from three"])
        await expectNoAlarms(one, three)
        let summary = try #require(await three.deviceSummaries.first { $0.identifier == lost })
        #expect(summary.removed != nil && summary.isClosed)
        #expect(await three.summary.devices == 2)

        // The removed one.
        let error = await #expect(throws: DriveError.self) { try await two.read() }
        #expect(error?.isRemoval == true)
        _ = try await two.create("after", in: .root)
        await #expect(throws: DriveError.self) { try await two.append() }
        #expect(await names(two) == ["before", "after"])
        try await one.read()
        #expect(await names(one) == ["before", "new", "from three"])
        // Again is no error.
        try await one.remove(lost)
        #expect(await one.members.removals.count == 1)
    }

    @Test("the phrase opens the new keys, and a new machine that comes in by it or by an invitation reads everything")
    func newcomers() async throws {
        // The first epoch as a creation puts it into the store.
        let created = try await DriveSetup.create(in: store, phrase: phrase)
        let all = try await devices("one", "two", "three", keys: created)
        _ = try await all[1].drive.create("before", in: .root)
        try await all[1].drive.append()
        try await all[0].drive.remove(try await identifier(all[1]))
        try await all[2].drive.read()
        _ = try await all[0].drive.create("between", in: .root)
        try await all[0].drive.append()
        try await all[2].drive.remove(try await identifier(all[0]))
        _ = try await all[2].drive.create("after", in: .root)
        try await all[2].drive.append()
        let recovered = try await DriveSetup.recover(phrase, from: store)
        #expect(recovered == (await all[2].drive.keys) && recovered.epochKeys.count == 3)
        for keys in [recovered, await all[2].drive.keys] {
            let new = try TestDevice(store, keys)
            try await new.drive.append()
            try await new.drive.read()
            #expect(await names(new.drive) == ["before", "between", "after"])
            #expect(await new.drive.alarms.isEmpty)
        }
        await #expect(throws: DriveError.self) { try await DriveSetup.recover(.new(), from: store) }
    }

    @Test("what a removed device writes behind everybody's back is reported, and nothing of it counts")
    func aRemovedDeviceWithBadIntentions() async throws {
        let all = try await devices("one", "two", "three")
        let lost = try await identifier(all[1])
        let name = "devices/\(lost)"
        let old = await all[1].drive.keys
        let open = try #require(store.bytes(name))
        try await all[0].drive.remove(lost)
        let closed = try #require(store.bytes(name))
        // It goes on with its log, in its own head.
        var head = try #require(await all[1].drive.state.own?.head)
        let record = await all[1].drive.record(
            .place(item: .random(), parent: .root, name: "forged", isFolder: true, previous: nil))
        head.sequence += 1
        head.tail.append(record.encoded)
        head.position = head.position.adding([record.encoded])
        head.lamport = record.stamp.lamport
        let forged = try await all[1].drive.seal(head)
        for bytes in [forged, open] {
            store.tamper(name, bytes)
            let new = try TestDevice(store, await all[0].drive.keys)
            for drive in [all[0].drive, all[2].drive, new.drive] {
                try await drive.read()
                #expect(await !names(drive).contains("forged"))
            }
        }
        store.tamper(name, closed)
        // It makes a list of its own, in which it is or has let in another.
        let members = try #require(store.bytes("members"))
        var list = await all[1].drive.state.members
        list.version += 7
        store.tamper("members", try await all[1].drive.seal(list, signer: lost, old))
        for drive in [all[0].drive, all[2].drive] {
            await #expect(throws: DriveError.self) { try await drive.readMembers() }
            #expect(await drive.alarms.contains { $0.subject == "members" })
        }
        // It begins an epoch of its own.
        let own = old.renewed()
        list.epoch = own.epoch
        list.removals = []
        store.tamper(
            "epochs/\(own.epoch)",
            try DriveEpoch.object(own, after: old, for: list.members.map(\.boxKey), signer: lost, all[1].deviceKeys))
        store.tamper("members", try await all[1].drive.seal(list, signer: lost, own))
        for drive in [all[0].drive, all[2].drive] {
            await #expect(throws: DriveError.self) { try await drive.readMembers() }
            #expect(await drive.keys.epochKeys[own.epoch] == nil)
        }
        store.tamper("members", members)
        try await all[2].drive.read()
        #expect(await all[2].drive.alarms.isEmpty)
    }

    @Test("records that were taken in although the device had come to its end are dropped")
    func recordsBehindTheEnd() async throws {
        let all = try await devices("one", "two", "three")
        let lost = try await identifier(all[1])
        let members = try #require(store.bytes("members"))
        let open = try #require(store.bytes("devices/\(lost)"))
        _ = try await all[1].drive.create("late", in: .root)
        try await all[1].drive.append()
        let late = try #require(store.bytes("devices/\(lost)"))
        store.tamper("devices/\(lost)", open)
        try await all[0].drive.remove(lost)
        let (removed, after) = (store.bytes("devices/\(lost)"), store.bytes("members"))
        // The store, or the thief with the key of the store, shows the third device the longer log first.
        store.tamper("devices/\(lost)", late)
        store.tamper("members", members)
        try await all[2].drive.readMembers()
        _ = try await all[2].drive.readHead(of: lost)
        #expect(await names(all[2].drive) == ["late"])
        store.tamper("devices/\(lost)", removed)
        store.tamper("members", after)
        try await all[2].drive.read()
        #expect(await names(all[2].drive) == [])
        await expectSame(all[2].drive, all[0].drive)
    }

    @Test("a device that was away during two removals takes the keys in order, and uses them for its first change")
    func aDeviceThatWasAway() async throws {
        let all = try await devices("one", "two", "three", "four")
        let away = all[3].drive
        let scratch = all[3].scratch
        _ = try await away.create("offline", in: .root)
        try await all[0].drive.remove(try await identifier(all[1]))
        let late = try TestDevice(store, await all[0].drive.keys, name: "five")
        try await late.drive.append()
        try await late.drive.remove(try await identifier(all[2]))
        // The process begins anew, and its keyring still has the first keys.
        let log = store.bytes("devices/\(try await identifier(all[3]))")
        let again = try TestDevice(store, keys, deviceKeys: all[3].deviceKeys, scratch: try copy(scratch))
        try await again.drive.append()
        let sealed = try #require(store.bytes("devices/\(try await identifier(all[3]))"))
        #expect(sealed != log)
        #expect(SealedObject.epoch(of: sealed) == (await late.drive.keys.epoch))
        try await again.drive.read()
        try await late.drive.read()
        try await all[0].drive.read()
        #expect(await names(all[0].drive) == ["offline"])
        await expectNoAlarms(again.drive, late.drive)
        // And once more, without the store: the state has the keys, sealed to the device.
        let offline = try TestDevice(
            MemoryStore(), keys, deviceKeys: all[3].deviceKeys, scratch: try copy(again.scratch))
        #expect(await offline.drive.keys == late.drive.keys)
    }

    private func copy(_ scratch: Scratch) throws -> Scratch {
        let new = try Scratch()
        try scratch.copy(to: new)
        return new
    }

    @Test("R5: a removal that is cut off at any request is completed by its repetition", arguments: 0..<16)
    func cutOff(request: Int) async throws {
        for fate in [FaultyStore.Fate.lostRequest, .lostReply, .doubled] {
            let store = MemoryStore()
            let counter = Counter(crashAt: .max)
            let one = try TestDevice(FaultyStore(store) { counter.next() ? fate : .none }, keys)
            let others = [try TestDevice(store, keys), try TestDevice(store, keys)]
            for device in [one] + others { try await device.drive.append() }
            for device in [one] + others { try await device.drive.read() }
            _ = try await others[0].drive.create("kept", in: .root)
            try await others[0].drive.append()
            let lost = try await identifier(others[0])
            counter.crash(at: request)
            try? await one.drive.remove(lost)
            counter.crash(at: .max)
            // Meanwhile the others may do anything.
            _ = try? await others[0].drive.append()
            _ = try await others[1].drive.create("other", in: .root)
            try? await others[1].drive.append()
            try await one.drive.remove(lost)
            try await one.drive.append()
            try await others[1].drive.read()
            try await others[1].drive.append()
            try await one.drive.read()
            #expect(await names(one.drive) == ["kept", "other"])
            await expectSame(one.drive, others[1].drive)
            await expectNoAlarms(one.drive, others[1].drive)
            #expect(await one.drive.members.removals.map(\.device) == [lost])
            await #expect(throws: DriveError.self) { try await others[0].drive.read() }
        }
    }

    @Test("two devices that remove each other at once: the list of members decides", arguments: 0..<14)
    func eachOther(request: Int) async throws {
        let store = MemoryStore()
        let counter = Counter(crashAt: .max)
        let other = Later()
        let one = try TestDevice(
            FaultyStore(store) {
                if counter.next() { await other.run() }
                return .none
            }, keys, name: "one")
        let two = try TestDevice(store, keys, name: "two")
        let three = try TestDevice(store, keys, name: "three")
        for device in [one, two, three] { try await device.drive.append() }
        for device in [one, two, three] { try await device.drive.read() }
        let (first, second) = (try await identifier(one), try await identifier(two))
        _ = try await one.drive.create("of one", in: .root)
        _ = try await two.drive.create("of two", in: .root)
        other.set { try? await two.drive.remove(first) }
        counter.crash(at: request)
        try? await one.drive.remove(second)
        await other.run()
        for device in [one, two, three] {
            try? await device.drive.append()
            try? await device.drive.read()
        }
        try await three.drive.read()
        let removals = await three.drive.members.removals.map(\.device)
        #expect(removals.count == 1)
        let stays = removals == [second] ? one : two
        #expect(removals.first != (await stays.drive.device))
        try await stays.drive.append()
        try await stays.drive.read()
        try await three.drive.read()
        await expectSame(stays.drive, three.drive)
        #expect(await names(three.drive).contains(removals == [second] ? "of one" : "of two"))
        await expectNoAlarms(three.drive, stays.drive)
    }

    @Test("an old drive needs its phrase once; a wrong one changes nothing")
    func anOldDrive() async throws {
        let created = try await DriveSetup.create(in: store, phrase: phrase)
        guard case .map(var map) = created.value else { return }
        map[5] = nil
        let old = try DriveKeys(.map(map))
        let all = try await devices("one", "two", "three", keys: old)
        let lost = try await identifier(all[1])
        #expect(await all[0].drive.needsPhrase)
        await #expect(throws: DriveError.self) { try await all[0].drive.remove(lost) }
        await #expect(throws: DriveError.self) { try await all[0].drive.remove(lost, phrase: .new()) }
        try await all[2].drive.read()
        #expect(await all[2].drive.members.removals.isEmpty)
        try await all[0].drive.remove(lost, phrase: phrase)
        try await all[2].drive.read()
        #expect(await !all[2].drive.needsPhrase)
        try await all[2].drive.remove(try await identifier(all[0]))
        #expect(try await DriveSetup.recover(phrase, from: store) == (await all[2].drive.keys))
    }

    @Test("a machine that is let in again sends what it had not sent")
    func aMachineThatIsLetInAgain() async throws {
        let all = try await devices("one", "two")
        let lost = try await identifier(all[1])
        _ = try await all[1].drive.create("unsent", in: .root)
        await #expect(throws: DriveError.self) { try await all[0].drive.remove(try await identifier(all[0])) }
        try await all[0].drive.remove(lost)
        await #expect(throws: DriveError.self) { try await all[1].drive.append() }
        let again = try TestDevice(
            store, await all[0].drive.keys, name: "two", deviceKeys: try DeviceKeys(),
            scratch: try copy(all[1].scratch))
        try await again.drive.append()
        try await all[0].drive.read()
        #expect(await names(all[0].drive) == ["unsent"])
        #expect(await all[0].drive.members.present.count == 2)
        await expectNoAlarms(all[0].drive, again.drive)
    }
}

extension DriveError {
    var isRemoval: Bool { if case .removed = self { true } else { false } }
}
