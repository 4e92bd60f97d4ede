import FoundationEssentials
import Testing

@testable import DriveStore

/// Devices of one drive.
struct DriveTests {
    private let store = MemoryStore()
    private let keys = DriveKeys.new()

    @Test("a drive is created once and opened by its phrase")
    func aDriveIsCreatedOnceAndOpenedByItsPhrase() async throws {
        let phrase = RecoveryPhrase.new()
        let keys = try await DriveSetup.create(in: store, phrase: phrase)
        #expect(try await DriveSetup.recover(phrase, from: store) == keys)
        await #expect(throws: DriveError.self) { try await DriveSetup.create(in: store, phrase: phrase) }
        await #expect(throws: DriveError.self) { try await DriveSetup.recover(.new(), from: store) }
        await #expect(throws: DriveError.self) { try await DriveSetup.identify(MemoryStore()) }
    }

    @Test("R9: a store that does not decide races is refused")
    func aStoreThatDoesNotDecideRacesIsRefused() async throws {
        await #expect(throws: DriveError.self) { try await DriveSetup.create(in: CarelessStore(), phrase: .new()) }
    }

    @Test("R8: a guest is let in by a code")
    func aGuestIsLetInByACode() async throws {
        let host = try TestDevice(store, keys, name: "host")
        _ = try await host.drive.create("a", in: .root)
        try await host.drive.append()
        let code = Invitation.new().text
        let guestKeys = try DeviceKeys()
        let guest = try Invitation(code)
        #expect(try await guest.guest(store) == nil)
        await #expect(throws: DriveError.self, "nobody has invited with it yet") {
            try await guest.ask(store, name: "guest", as: guestKeys)
        }
        try await Invitation(code).announce(store, until: 1000)
        await #expect(throws: DriveError.self, "it has expired") {
            try await guest.ask(store, name: "guest", as: guestKeys, now: 1001)
        }
        try await guest.clear(store)
        try await Invitation(code).announce(store, until: .max)
        try await guest.ask(store, name: "guest", as: guestKeys)
        try await guest.ask(store, name: "guest", as: guestKeys)
        await #expect(throws: DriveError.self) { try await guest.ask(store, name: "thief", as: try DeviceKeys()) }
        let found = try #require(await Invitation(code).guest(store))
        #expect(found.name == "guest")
        #expect(try await guest.answer(store, to: guestKeys) == nil)
        try await Invitation(code).admit(found, to: store, keys: keys, view: await host.drive.view)
        let answer = try #require(await guest.answer(store, to: guestKeys))
        #expect(answer.keys == keys)
        // Whoever has the code but not the guest's key opens nothing.
        await #expect(throws: DriveError.self) { try await guest.answer(store, to: try DeviceKeys()) }
        try await guest.clear(store)
        #expect(store.names.allSatisfy { !$0.hasPrefix("joining/") })
        // The host's memory counts for the guest: an older head is refused at the first sight.
        let joined = try TestDevice(store, answer.keys)
        try await joined.drive.remember(answer.view)
        try await joined.drive.read()
        #expect(await joined.drive.tree.live.count == 1)
        #expect(await joined.drive.alarms.isEmpty)
    }

    @Test("R5: a copy of a device is noticed and both go on")
    func aCopyOfADeviceIsNoticedAndBothGoOn() async throws {
        let scratch = try Scratch()
        let deviceKeys = try DeviceKeys()
        let original = try scratch.directory("one")
        var drive: DriveDevice? = try DriveDevice(
            store: store, keys: keys, deviceKeys: deviceKeys, name: "one", directory: original)
        _ = try await drive?.create("before", in: .root)
        try await drive?.append()
        _ = try await drive?.create("unsent", in: .root)
        drive = nil
        try FileManager.default.copyItem(atPath: original, toPath: scratch.path + "/two")
        let one = try DriveDevice(store: store, keys: keys, deviceKeys: deviceKeys, name: "one", directory: original)
        let two = try DriveDevice(
            store: store, keys: keys, deviceKeys: deviceKeys, name: "two", directory: scratch.path + "/two")
        _ = try await one.create("by one", in: .root)
        _ = try await two.create("by two", in: .root)
        try await one.append()
        try await two.append()
        try await one.read()
        try await two.read()
        #expect(await one.device != two.device)
        #expect(await Set(one.tree.shownNames.values) == ["before", "unsent", "by one", "by two"])
        #expect(await one.tree.shownNames == two.tree.shownNames)
        #expect(await one.alarms.isEmpty)
        #expect(await two.alarms.isEmpty)
    }

    @Test("a new device starts from a checkpoint that a second one confirmed")
    func aNewDeviceStartsFromACheckpointThatASecondOneConfirmed() async throws {
        let one = try TestDevice(store, keys)
        let two = try TestDevice(store, keys)
        for number in 0..<600 { _ = try await one.drive.create("folder \(number)", in: .root) }
        try await one.drive.append()
        try await two.drive.append()
        try await two.drive.read()
        try await one.drive.read()
        try await one.drive.writeCheckpoint()
        let withoutLog = store.snapshot().filter { !$0.key.hasPrefix("log/") }
        try await two.drive.read()
        let early = try TestDevice(store, keys)
        try await early.drive.read()
        #expect(await early.drive.state.floor == 0, "nobody has confirmed it yet")
        try await two.drive.confirmCheckpoints()
        for name in store.names where name.hasPrefix("log/") { store.tamper(name, withoutLog[name]) }
        let three = try TestDevice(store, keys)
        try await three.drive.append()
        #expect(await three.drive.alarms.isEmpty)
        #expect(await three.drive.tree.live.count == 600)
        #expect(await three.drive.tree.shownNames == one.drive.tree.shownNames)
    }

    @Test("a wrong checkpoint is not confirmed")
    func aWrongCheckpointIsNotConfirmed() async throws {
        let one = try TestDevice(store, keys)
        let two = try TestDevice(store, keys)
        _ = try await one.drive.create("a", in: .root)
        _ = try await two.drive.create("b", in: .root)
        try await one.drive.append()
        try await two.drive.append()
        try await one.drive.read()
        // A device that forgets a record, by mistake or not.
        var checkpoint = await one.drive.state.asCheckpoint(floor: 0)
        checkpoint.entries.removeLast()
        let identifier = DriveIdentifier.random()
        let parts = checkpoint.parts
        for (number, part) in parts.enumerated() {
            let key = StoreNames.checkpointPart(identifier, number)
            store.tamper(
                key.name, try SealedObject.seal(part, kind: .checkpointPart, name: key.name, keys: keys))
        }
        let index = checkpoint.index(of: parts)
        let key = StoreNames.checkpoint(identifier)
        store.tamper(key.name, try SealedObject.seal(index, kind: .checkpoint, name: key.name, keys: keys))
        try await one.drive.announce(.init(identifier: identifier, digest: Sodium.hash(index)), floor: 0)
        try await two.drive.read()
        try await two.drive.confirmCheckpoints()
        #expect(await two.drive.state.confirmed.isEmpty)
    }

    @Test("R4, N1: documents are listed before their content has arrived")
    func documentsAreListedBeforeTheirContentHasArrived() async throws {
        let one = try TestDevice(store, keys)
        let two = try TestDevice(store, keys)
        let source = BytesSource([UInt8](repeating: 1, count: 100_000))
        let manifest = try await one.drive.measure(source)
        let content = NewContent(manifest, size: source.size, modified: 0, packs: nil)
        let item = try await one.drive.create("a", in: .root, content: content)
        try await one.drive.append()
        try await two.drive.read()
        #expect(await two.drive.tree.live == [item])
        #expect(await two.drive.tree.arrived.isEmpty)
        await #expect(throws: DriveError.self) { try await two.drive.bytes(of: item) }
        try await one.drive.arrived(content.version, packs: try await one.drive.send(source, as: manifest))
        try await one.drive.append()
        try await two.drive.read()
        #expect(try await two.drive.bytes(of: item).count == 100_000)
    }

    @Test("R3: edits of two devices are a conflict until somebody settles it")
    func editsOfTwoDevicesAreAConflictUntilSomebodySettlesIt() async throws {
        let one = try TestDevice(store, keys)
        let two = try TestDevice(store, keys)
        let item = try await one.drive.createDocument("a", [1])
        try await one.drive.append()
        try await two.drive.append()
        let first = try #require(await two.drive.tree.current[item])
        for (device, byte) in [(one, UInt8(2)), (two, 3)] {
            try await device.drive.add(try await device.drive.sent([byte]), to: item, parents: [first])
        }
        try await one.drive.append()
        try await two.drive.append()
        try await one.drive.read()
        try await two.drive.read()
        #expect(await one.drive.tree.conflicts[item]?.count == 1)
        #expect(await one.drive.tree.current == two.drive.tree.current)
        let heads = try #require(await one.drive.tree.heads[item])
        try await one.drive.add(try await one.drive.sent([4]), to: item, parents: heads)
        try await one.drive.append()
        try await two.drive.read()
        #expect(await two.drive.tree.conflicts[item]?.isEmpty == true)
        #expect(try await two.drive.bytes(of: item) == [4])
    }

    @Test("R2: an edit that the deleter did not know brings the document back")
    func anEditThatTheDeleterDidNotKnowBringsTheDocumentBack() async throws {
        let one = try TestDevice(store, keys)
        let two = try TestDevice(store, keys)
        let folder = try await one.drive.create("folder", in: .root)
        let item = try await one.drive.createDocument("a", [1], in: folder)
        let gone = try await one.drive.createDocument("b", [1], in: folder)
        try await one.drive.append()
        try await two.drive.append()
        let first = try #require(await two.drive.tree.current[item])
        try await two.drive.add(try await two.drive.sent([2]), to: item, parents: [first])
        try await one.drive.trash([folder])
        try await one.drive.append()
        try await two.drive.append()
        try await one.drive.read()
        #expect(await one.drive.tree.live == [folder, item])
        #expect(await one.drive.tree.trashed == [gone])
    }

    @Test("R5: a crash at any request loses nothing", arguments: 0..<40)
    func aCrashAtAnyRequestLosesNothing(request: Int) async throws {
        let scratch = try Scratch()
        let deviceKeys = try DeviceKeys()
        let content = [UInt8](repeating: 5, count: 60_000)
        for lostReply in [false, true] {
            let store = MemoryStore()
            let counter = Counter(crashAt: request)
            let faulty = FaultyStore(store, fate: { counter.next() ? (lostReply ? .lostReply : .lostRequest) : .none })
            let path = try scratch.directory("state \(lostReply)")
            for _ in 0..<50 {
                do {
                    let drive = try DriveDevice(
                        store: faulty, keys: keys, deviceKeys: deviceKeys, name: "a", directory: path)
                    if await drive.tree.placements.isEmpty { _ = try await drive.create("folder", in: .root) }
                    let folder = try #require(await drive.tree.live.first)
                    try await drive.append()
                    if await drive.tree.versions.isEmpty {
                        _ = try await drive.createDocument("a", content, in: folder)
                    }
                    try await drive.append()
                    try await drive.writeCheckpoint()
                    break
                } catch DriveError.unreachable {
                    continue
                }
            }
            let other = try TestDevice(store, keys)
            try await other.drive.read()
            #expect(await other.drive.alarms.isEmpty)
            #expect(await other.drive.tree.live.count == 2)
            let item = try #require(await other.drive.tree.current.keys.first)
            #expect(try await other.drive.bytes(of: item) == content)
            #expect(await other.drive.members.members.count == 1)
        }
    }

    @Test("R2: every record that is still to come has a greater number than the head says")
    func theNumberOfTheHeadIsBelowWhatFollows() async throws {
        let counter = Counter(crashAt: .max)
        let device = try TestDevice(FaultyStore(store) { counter.next() ? .lostRequest : .none }, keys)
        try await device.drive.append()
        // More than one head carries at once.
        for number in 0..<90 {
            _ = try await device.drive.createDocument("\(number)", [UInt8](repeating: 1, count: 16 << 10))
        }
        counter.crash(at: 3)
        await #expect(throws: DriveError.self) { try await device.drive.append() }
        let first = try #require(await device.drive.state.journal.first)
        let head = try #require(await device.drive.state.own?.head)
        #expect(await device.drive.state.journal.count < 90)
        #expect(head.lamport < first.stamp.lamport)
    }
}
