import DriveStore
import FoundationEssentials
import Synchronization

/// Several devices on one store, with random changes, faults, crashes, copies and restored backups. The dice follow
/// from the seed, but identifiers and keys are random, so a seed does not repeat a run exactly. A request of one device
/// may be preceded by whole actions of others, so that many orders of requests occur.
actor DriveWorld {
    struct Failure: Error, CustomStringConvertible { let description: String }

    /// Moves by itself: by one with every look at it.
    final class Time: Sendable {
        private let value = Atomic<Int64>(2000)
        func next() -> Int64 { value.wrappingAdd(1, ordering: .relaxed).newValue }
    }

    final class Machine {
        let name: String
        let directory: String
        var deviceKeys: DeviceKeys
        /// What it was given when it came in.
        var keys: DriveKeys
        /// Whether it has learned that it was removed.
        var isOut = false
        var drive: DriveDevice?
        var staged: [DriveIdentifier: [UInt8]] = [:]
        var backup: String?
        var isBusy = false
        /// How far its clock is off.
        let skew: Int64

        init(_ name: String, _ directory: String, _ deviceKeys: DeviceKeys, _ keys: DriveKeys, skew: Int64) {
            self.keys = keys
            self.skew = skew
            self.name = name
            self.directory = directory
            self.deviceKeys = deviceKeys
        }
    }

    private let store: any ObjectStore
    private let keys: DriveKeys
    private let scratch: Scratch
    private var random: SeededRandom
    private var machines: [Machine] = []
    private var confirmed: [DriveIdentifier: (bytes: [UInt8], owner: String, isPublished: Bool)] = [:]
    private var delayed: [@Sendable () async -> Void] = []
    private var hasFaults = true
    private var mustCrash = false
    private var depth = 0
    private var contents: [[UInt8]] = []
    private let maximumMachines: Int
    /// Whether machines are removed and let in again, and space is freed.
    private let isHarsh: Bool
    private let time = Time()
    private let skews: [Int64] = [0, 0, -900, 30, 900, 1_000_000]
    private(set) var trace: [String] = []

    init(_ store: any ObjectStore, seed: UInt64, machines count: Int, maximum: Int = 5, isHarsh: Bool = false) throws {
        self.store = store
        self.isHarsh = isHarsh
        keys = DriveKeys.new(phraseKey: RecoveryPhrase.new().publicKey)
        scratch = try Scratch()
        random = SeededRandom(seed)
        maximumMachines = maximum
        for length in [0, 1, 100, 17_000, 17_000, 40_000, 70_000] { contents.append(random.bytes(length)) }
        for number in 0..<count {
            machines.append(
                Machine(
                    "m\(number)", try scratch.directory("m\(number)"), try DeviceKeys(), keys,
                    skew: skews.randomElement(using: &random) ?? 0))
        }
    }

    func run(steps: Int) async throws {
        for _ in 0..<steps { try await step() }
        try await rest()
        try await check()
    }

    // MARK: Faults

    private func fate(_ machine: String) async -> FaultyStore.Fate {
        guard hasFaults else { return .none }
        if depth < 3, random.chance(0.15) {
            depth += 1
            // Errors of the other's action are its own affair; a failed check shows at the end.
            try? await step()
            depth -= 1
        }
        if !delayed.isEmpty, random.chance(0.1) {
            let late = delayed.remove(at: Int.random(in: 0..<delayed.count, using: &random))
            await late()
        }
        let dice = Double.random(in: 0..<1, using: &random)
        switch dice {
        case ..<0.03: return .lostRequest
        case ..<0.06: return .lostReply
        case ..<0.08: return .doubled
        case ..<0.095: return .delayed
        default: return .none
        }
    }

    private func keep(_ late: @escaping @Sendable () async -> Void) { delayed.append(late) }

    private func open(_ machine: Machine) throws -> DriveDevice {
        if let drive = machine.drive { return drive }
        let name = machine.name
        let faulty = FaultyStore(
            store, fate: { [weak self] in await self?.fate(name) ?? .none },
            delay: { [weak self] in await self?.keep($0) })
        let drive = try DriveDevice(
            store: faulty, keys: machine.keys, deviceKeys: machine.deviceKeys, name: name, directory: machine.directory,
            clock: { [time, skew = machine.skew] in time.next() + skew })
        machine.drive = drive
        return drive
    }

    // MARK: Steps

    private func step() async throws {
        let idle = machines.filter { !$0.isBusy }
        guard let machine = idle.randomElement(using: &random) else { return }
        machine.isBusy = true
        defer { machine.isBusy = false }
        let dice = Double.random(in: 0..<1, using: &random)
        if dice < 0.006 {
            try copy(machine)
            return
        }
        if dice < 0.012 {
            try saveBackup(machine)
            return
        }
        if dice < 0.016 {
            try restoreBackup(machine)
            return
        }
        if dice < 0.03 {
            machine.drive = nil
            return
        }
        if dice < 0.034, machines.count < maximumMachines {
            let number = machines.count
            machines.append(
                Machine(
                    "m\(number)", try scratch.directory("m\(number)"), try DeviceKeys(),
                    await presentKeys() ?? keys,
                    skew: skews.randomElement(using: &random) ?? 0))
            return
        }
        if machine.isOut {
            try await letIn(machine)
            return
        }
        do {
            let drive = try open(machine)
            if isHarsh, random.chance(0.06) {
                try await clearUp(drive)
                return
            }
            switch dice {
            case ..<0.30: try await change(machine, drive)
            case ..<0.55: try await publish(drive, machine)
            case ..<0.75: try await drive.read()
            case ..<0.93: try await upload(machine, drive)
            case ..<0.97: try await drive.writeCheckpoint()
            default: try await drive.confirmCheckpoints()
            }
        } catch let error as DriveError {
            if case .removed = error, isHarsh {
                machine.isOut = true
                return
            }
            guard case .unreachable = error else {
                trace.append("\(machine.name): \(error)")
                throw Failure(description: "\(machine.name) met \(error)")
            }
            // A failed request may also be the last thing that a process did.
            if random.chance(0.5) { machine.drive = nil }
        }
    }

    /// Frees space, or removes a machine.
    private func clearUp(_ drive: DriveDevice) async throws {
        if random.chance(0.85) {
            _ = try await drive.collect(keepDays: 0)
            return
        }
        let own = await drive.device
        let others = await drive.members.present.map(\.identifier).filter { $0 != own }
        guard let other = others.randomElement(using: &random) else { return }
        do { try await drive.remove(other) } catch {
            // A machine that takes a new identifier at that moment meant its own.
            guard case .invalid = error else { throw error }
        }
    }

    /// The keys of some machine that is in the drive.
    private func presentKeys() async -> DriveKeys? {
        for machine in machines.shuffled(using: &random) where !machine.isOut && !machine.isBusy {
            // One that was let in with keys that were changed meanwhile is not in.
            guard let drive = machine.drive, let device = await drive.device,
                await drive.members.present.contains(where: { $0.identifier == device })
            else { continue }
            return await drive.keys
        }
        return nil
    }

    /// A machine that was removed signs in anew.
    private func letIn(_ machine: Machine) async throws {
        guard let keys = await presentKeys() else { return }
        machine.drive = nil
        machine.deviceKeys = try DeviceKeys()
        machine.keys = keys
        machine.isOut = false
    }

    private func publish(_ drive: DriveDevice, _ machine: Machine) async throws {
        let before = confirmed.filter { $0.value.owner == machine.name }.keys
        try await drive.append()
        for version in before { confirmed[version]?.isPublished = true }
    }

    private func change(_ machine: Machine, _ drive: DriveDevice) async throws {
        let tree = await drive.tree
        let live = tree.live.sorted()
        let folders = [DriveIdentifier.root] + live.filter { tree.placements[$0]?.isFolder == true }
        let files = live.filter { tree.placements[$0]?.isFolder == false }
        let dice = Double.random(in: 0..<1, using: &random)
        let names = ["a", "b.txt", "b (m0).txt", "\u{E9}", "e\u{301}"]
        do {
            if dice < 0.3 || live.isEmpty {
                let folder = folders.randomElement(using: &random) ?? .root
                let name = names.randomElement(using: &random) ?? "a"
                if random.chance(0.35) {
                    _ = try await drive.create(name, in: folder)
                } else {
                    let new = try await content(machine, drive)
                    _ = try await drive.create(name, in: folder, content: new.content)
                    confirm(new.content, new.bytes, machine)
                }
            } else if dice < 0.55, let item = files.randomElement(using: &random) {
                let new = try await content(machine, drive)
                try await drive.add(new.content, to: item, parents: tree.current[item].map { [$0] } ?? [])
                confirm(new.content, new.bytes, machine)
            } else if dice < 0.75, let item = live.randomElement(using: &random) {
                try await drive.move(
                    item, to: folders.randomElement(using: &random) ?? .root,
                    named: names.randomElement(using: &random) ?? "a")
            } else if dice < 0.85, let item = live.randomElement(using: &random) {
                try await drive.trash([item])
            } else if dice < 0.92,
                let item = tree.trashed.subtracting(tree.purged).sorted().randomElement(using: &random)
            {
                try await drive.restore(item)
            } else if dice < 0.95, !tree.trashed.subtracting(tree.purged).isEmpty {
                try await drive.purge(tree.trashed.subtracting(tree.purged).sorted())
            } else if let item = files.first(where: { !(tree.conflicts[$0] ?? []).isEmpty }) {
                let new = try await content(machine, drive)
                try await drive.add(new.content, to: item, parents: tree.heads[item] ?? [])
                confirm(new.content, new.bytes, machine)
            }
        } catch DriveError.invalid {
            // For example a move into itself.
        }
    }

    private func content(_ machine: Machine, _ drive: DriveDevice) async throws -> (content: NewContent, bytes: [UInt8])
    {
        let bytes = random.chance(0.7) ? contents.randomElement(using: &random) ?? [] : random.bytes(20_000)
        let manifest = try await drive.measure(BytesSource(bytes))
        return (NewContent(manifest, size: bytes.count, modified: 0, packs: nil), bytes)
    }

    private func confirm(_ content: NewContent, _ bytes: [UInt8], _ machine: Machine) {
        confirmed[content.version] = (bytes, machine.name, false)
        if bytes.count > 16 << 10 { machine.staged[content.version] = bytes }
    }

    private func upload(_ machine: Machine, _ drive: DriveDevice) async throws {
        guard let version = machine.staged.keys.sorted().randomElement(using: &random),
            let bytes = machine.staged[version]
        else { return }
        guard await drive.tree.versions[version] != nil else {
            machine.staged[version] = nil
            return
        }
        let source = BytesSource(bytes)
        let packs = try await drive.send(source, as: try await drive.measure(source))
        try await drive.arrived(version, packs: packs)
    }

    private func copy(_ machine: Machine) throws {
        guard machines.count < maximumMachines else { return }
        let directory = scratch.path + "/m\(machines.count)"
        try FileManager.default.copyItem(atPath: machine.directory, toPath: directory)
        let twin = Machine(
            "m\(machines.count)", directory, machine.deviceKeys, machine.keys, skew: machine.skew)
        twin.staged = machine.staged
        machines.append(twin)
    }

    private func saveBackup(_ machine: Machine) throws {
        let backup = scratch.path + "/backup-\(UUID().uuidString)"
        try FileManager.default.copyItem(atPath: machine.directory, toPath: backup)
        machine.backup = backup
    }

    private func restoreBackup(_ machine: Machine) throws {
        guard let backup = machine.backup else { return }
        machine.drive = nil
        try FileManager.default.removeItem(atPath: machine.directory)
        try FileManager.default.copyItem(atPath: backup, toPath: machine.directory)
        // What was on this disk alone is gone with it.
        for (version, entry) in confirmed where entry.owner == machine.name && !entry.isPublished {
            confirmed[version] = nil
        }
        // Its data may be gone although its record is not.
        machine.staged = machine.staged.filter { confirmed[$0.key] != nil }
    }

    // MARK: The end

    private func rest() async throws {
        hasFaults = false
        for late in delayed { await late() }
        // What one machine finds out at the end of a round may be something to send for it, and news for the others.
        let (fewest, most) = (isHarsh ? 7 : 4, 30)
        for round in 1...most {
            for machine in machines {
                do { try await bringUpToDate(machine) } catch let error as DriveError {
                    guard case .removed = error, isHarsh else { throw error }
                    machine.isOut = true
                    await finishRemoval(of: machine)
                    try await letIn(machine)
                    try? await bringUpToDate(machine)
                }
            }
            if round >= fewest, await isQuiet() { break }
        }
    }

    /// Whoever was interrupted while it removed a machine does that again, or somebody else does: until then the
    /// machine is closed out and waits for its removal.
    private func finishRemoval(of machine: Machine) async {
        guard let device = await machine.drive?.device else { return }
        for other in machines where other !== machine && !other.isOut {
            if (try? await open(other).remove(device)) != nil { return }
        }
    }

    /// Whether no machine has anything left to send.
    private func isQuiet() async -> Bool {
        for machine in machines {
            guard let drive = machine.drive, await drive.unsent == 0 else { return false }
        }
        return true
    }

    private func bringUpToDate(_ machine: Machine) async throws {
        let drive = try open(machine)
        // A machine that was not in the drive for a while does not write before it has looked.
        if isHarsh { try await drive.read() }
        try await publish(drive, machine)
        for version in machine.staged.keys.sorted() {
            guard let bytes = machine.staged[version], await drive.tree.versions[version] != nil else { continue }
            let source = BytesSource(bytes)
            let packs = try await drive.send(source, as: try await drive.measure(source))
            try await drive.arrived(version, packs: packs)
        }
        try await publish(drive, machine)
        try await drive.read()
    }

    private func check() async throws {
        var first: DriveTree?
        for machine in machines {
            guard let drive = machine.drive else { continue }
            let tree = await drive.tree
            let alarms = await drive.alarms
            guard alarms.isEmpty else { throw Failure(description: "\(machine.name) raised \(alarms)") }
            guard await drive.unsent == 0 else { throw Failure(description: "\(machine.name) has unsent records") }
            if let first {
                try compare(first, tree, machine.name)
            } else {
                first = tree
                try await checkContent(tree, drive)
            }
            for (version, entry) in confirmed where tree.versions[version] == nil {
                throw Failure(description: "\(version) of \(entry.owner) is nowhere on \(machine.name)")
            }
            try checkNames(tree)
        }
    }

    private func compare(_ left: DriveTree, _ right: DriveTree, _ name: String) throws {
        func same<Value: Equatable>(_ what: String, _ path: (DriveTree) -> Value) throws {
            guard path(left) == path(right) else { throw Failure(description: "\(name) differs in \(what)") }
        }
        try same("names") { $0.shownNames }
        try same("parents") { $0.parents }
        try same("live") { $0.live }
        try same("trash") { $0.trashed }
        try same("purged") { $0.purged }
        try same("heads") { $0.heads }
        try same("current") { $0.current }
        try same("conflicts") { $0.conflicts }
        try same("arrived") { $0.arrived }
        try same("placements") { $0.placements.mapValues { [$0.parent.description, $0.name] } }
    }

    private func checkNames(_ tree: DriveTree) throws {
        for (folder, items) in tree.children {
            guard Set(items.compactMap { tree.shownNames[$0] }).count == items.count else {
                throw Failure(description: "two items of \(folder) are shown under one name")
            }
            guard folder == .root || tree.live.contains(folder) else {
                throw Failure(description: "the hidden folder \(folder) has live items")
            }
        }
    }

    private func checkContent(_ tree: DriveTree, _ drive: DriveDevice) async throws {
        for (version, entry) in confirmed {
            guard tree.arrived.contains(version) else {
                // Its data died with a disk that was restored.
                guard !machines.contains(where: { $0.staged[version] != nil }) else {
                    throw Failure(description: "\(version) of \(entry.owner) never arrived")
                }
                continue
            }
            if isHarsh {
                // Older versions, and what was given up, may be gone.
                guard let item = tree.versions[version]?.content.item, !tree.purged.contains(item),
                    tree.heads[item]?.contains(version) == true
                else { continue }
            }
            let collected = Collected()
            try await drive.read(version, 0..<entry.bytes.count) { collected.add($0) }
            guard collected.bytes == entry.bytes else { throw Failure(description: "\(version) has other content") }
        }
    }
}
