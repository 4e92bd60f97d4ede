/// What a device knows and has promised. It changes only by ``apply(_:)``, and only after the change is on disk.
struct DeviceState: Sendable {
    /// A record, and where it is in the drive; without an origin it is in this device's journal alone.
    struct Known: Hashable, Sendable {
        var record: DriveRecord
        var origin: RecordOrigin?
    }

    /// What was last seen of another device's head.
    struct SeenHead: Hashable, Sendable {
        var sequence: UInt64
        var digest: [UInt8]
        var tag: String
        var lamport: UInt64
    }

    /// The own head as the store has it.
    struct OwnHead: Hashable, Sendable {
        var head: DriveHead
        var digest: [UInt8]
        /// Nil if it has to be asked.
        var tag: String?
    }

    /// A head that is being written: these bytes and no others, until the outcome is known.
    struct Pending: Hashable, Sendable {
        var head: DriveHead
        var sealed: [UInt8]
        /// How many records of the journal it carries.
        var count: Int
        var digest: [UInt8] { Sodium.hash(sealed) }
    }

    /// The keys of an epoch, as they were announced to this device.
    struct Epoch: Hashable, Sendable {
        let identifier: DriveIdentifier
        let box: [UInt8]
    }

    /// Packs that a device is about to remove.
    struct UnusedList: Hashable, Sendable {
        var reference: DriveHead.CheckpointReference
        var packs: Set<DriveIdentifier>
        /// The greatest number before this device knew of it: later records do not refer to these packs.
        var lamport: UInt64
    }

    /// The own identifier; nil if a new one must be taken.
    private(set) var device: DriveIdentifier?
    /// The identifier that is being taken.
    private(set) var joining: DriveIdentifier?
    private(set) var lamport: UInt64 = 0
    private(set) var own: OwnHead?
    private(set) var pending: Pending?
    /// Records that no head has yet, in the order of their stamps.
    private(set) var journal: [DriveRecord] = []
    private(set) var records: [RecordKey: Known] = [:]
    private(set) var base: [DriveIdentifier: Placement] = [:]
    private(set) var floor: UInt64 = 0
    private(set) var positions: [DriveIdentifier: LogPosition] = [:]
    private(set) var seen: [DriveIdentifier: SeenHead] = [:]
    private(set) var members = MemberList()
    private(set) var membersTag: String?
    private(set) var checkpoint: DriveHead.CheckpointReference?
    private(set) var confirmed: [DriveIdentifier: DriveHead.CheckpointReference] = [:]
    /// Where chunks are; a chunk may be in several packs.
    private(set) var chunks: [ChunkIdentifier: [ChunkPlace]] = [:]
    /// The keys of later epochs, sealed to this device, in the order in which they began.
    private(set) var epochs: [Epoch] = []
    /// The lists of unused packs that are under way, by the device that made them.
    private(set) var lists: [DriveIdentifier: UnusedList] = [:]
    /// Packs that were removed.
    private(set) var gone: Set<DriveIdentifier> = []
    /// Lists of unused packs that were carried out.
    private(set) var ended: Set<DriveIdentifier> = []
    /// Packs of which this device has found something missing or changed.
    private(set) var damaged: Set<DriveIdentifier> = []
    /// All packs that no new record may refer to.
    private(set) var avoided: Set<DriveIdentifier> = []
    /// Counts what changes the tree.
    private(set) var generation = 0

    init() {}

    mutating func apply(_ change: StateChange) {
        switch change {
        case .joining(let identifier): joining = identifier
        case .joined(let head, let digest, let tag, let restamped): join(head, digest, tag, restamped)
        case .identityLost:
            device = nil
            joining = nil
            own = nil
            pending = nil
        case .journaled(let new):
            journal += new
            for record in new {
                records[record.key] = Known(record: record)
                lamport = max(lamport, record.stamp.lamport)
                note(record)
            }
        case .pending(let next): pending = next
        case .appended(let tag): append(tag)
        case .ownTag(let tag): own?.tag = tag
        case .received(let device, let new, let position): receive(new, of: device, upTo: position)
        case .headSeen(let device, let head):
            seen[device] = head
            lamport = max(lamport, head.lamport)
        case .members(let list, let tag):
            for removal in list.removals where members.removal(of: removal.device) == nil { end(removal) }
            members = list
            membersTag = tag
        case .epoch(let identifier, let box):
            epochs.removeAll { $0.identifier == identifier }
            epochs.append(Epoch(identifier: identifier, box: box))
        case .listed(let device, let list):
            lists[device] = list
            findAvoided()
        case .unlisted(let device):
            lists[device] = nil
            findAvoided()
        case .damaged(let packs):
            damaged = Set(packs)
            findAvoided()
        case .checkpointMade(let reference, let newFloor):
            checkpoint = reference
            raiseFloor(newFloor)
        case .checkpointLoaded(let loaded): load(loaded)
        case .confirmed(let device, let reference): confirmed[device] = reference
        }
    }

    private mutating func join(_ head: DriveHead, _ digest: [UInt8], _ tag: String?, _ restamped: [DriveRecord]) {
        for record in journal where records[record.key]?.origin == nil { records[record.key] = nil }
        device = head.device
        joining = nil
        pending = nil
        own = OwnHead(head: head, digest: digest, tag: tag)
        journal = restamped
        for record in restamped {
            records[record.key] = Known(record: record)
            lamport = max(lamport, record.stamp.lamport)
        }
        positions[head.device] = positions[head.device] ?? head.position
        generation += 1
    }

    private mutating func append(_ tag: String?) {
        guard let pending, let device else { return }
        let start = own?.head.position.count ?? 0
        for (index, record) in journal.prefix(pending.count).enumerated() {
            records[record.key]?.origin = RecordOrigin(device: device, index: start + index)
        }
        journal.removeFirst(min(pending.count, journal.count))
        own = OwnHead(head: pending.head, digest: pending.digest, tag: tag)
        positions[device] = pending.head.position
        self.pending = nil
    }

    private mutating func receive(_ new: [DriveRecord], of device: DriveIdentifier, upTo position: LogPosition) {
        let start = position.count - new.count
        for (index, record) in new.enumerated() {
            insert(record, RecordOrigin(device: device, index: start + index))
        }
        positions[device] = position
    }

    /// Drops what a removed device wrote after its end. An honest one has written nothing there.
    private mutating func end(_ removal: MemberList.Removal) {
        guard let position = positions[removal.device], position.count > removal.position.count else { return }
        records = records.filter { _, known in
            known.origin.map { $0.device != removal.device || $0.index < removal.position.count } ?? true
        }
        positions[removal.device] = removal.position
        chunks = [:]
        gone = []
        ended = []
        for known in records.values { note(known.record) }
        findAvoided()
        generation += 1
    }

    /// Keeps what a record says besides the tree, and counts it if it changes the tree.
    private mutating func note(_ record: DriveRecord) {
        if case .gone(let list, let packs) = record.body {
            take(packs)
            ended.insert(list)
            for (device, known) in lists where known.reference.identifier == list { lists[device] = nil }
            findAvoided()
            return
        }
        guard case .placed(let pack, let epoch, let entries) = record.body else {
            generation += 1
            return
        }
        // The record that says that it is gone may have come first.
        guard !gone.contains(pack) else { return }
        for entry in entries {
            let place = ChunkPlace(pack: pack, epoch: epoch, offset: entry.offset, length: entry.length)
            if chunks[entry.chunk]?.contains(place) != true { chunks[entry.chunk, default: []].append(place) }
        }
    }

    private mutating func take(_ packs: [DriveIdentifier]) {
        gone.formUnion(packs)
        damaged.subtract(packs)
        let packs = Set(packs)
        for (chunk, places) in chunks where places.contains(where: { packs.contains($0.pack) }) {
            let left = places.filter { !packs.contains($0.pack) }
            chunks[chunk] = left.isEmpty ? nil : left
        }
    }

    private mutating func findAvoided() { avoided = lists.values.reduce(gone.union(damaged)) { $0.union($1.packs) } }

    private mutating func insert(_ record: DriveRecord, _ origin: RecordOrigin) {
        lamport = max(lamport, record.stamp.lamport)
        if case .place = record.body, record.stamp.lamport <= floor { return }
        if let known = records[record.key], known.origin != nil, known.record.stamp <= record.stamp { return }
        records[record.key] = Known(record: record, origin: origin)
        note(record)
    }

    private mutating func raiseFloor(_ newFloor: UInt64) {
        guard newFloor > floor else { return }
        base = placements(at: newFloor)
        floor = newFloor
        // A place record of the journal is always above the floor, which is no greater than the own head's number.
        records = records.filter { _, known in
            if case .place = known.record.body { return known.record.stamp.lamport > newFloor }
            return true
        }
        generation += 1
    }

    /// The tree at a floor that is not below the own one.
    func placements(at floor: UInt64) -> [DriveIdentifier: Placement] {
        TreeFold.placements(
            base: base, floor: self.floor,
            records: records.values.lazy.map(\.record).filter { $0.stamp.lamport <= floor })
    }

    private mutating func load(_ loaded: Checkpoint) {
        if loaded.floor > floor {
            base = loaded.base
            floor = loaded.floor
            let mine = Set(journal.map(\.key))
            records = records.filter { key, known in
                if case .place = known.record.body { return known.record.stamp.lamport > floor || mine.contains(key) }
                return true
            }
        }
        for entry in loaded.entries { insert(entry.record, entry.origin) }
        for (device, position) in loaded.positions where position.count > positions[device]?.count ?? 0 {
            positions[device] = position
        }
        lamport = max(lamport, loaded.lamport)
        generation += 1
    }

    /// All that is in the drive and known here, as a checkpoint.
    func asCheckpoint(floor newFloor: UInt64) -> Checkpoint {
        var result = Checkpoint()
        result.floor = newFloor
        result.lamport = lamport
        result.base = newFloor > floor ? placements(at: newFloor) : base
        result.positions = positions
        for known in records.values {
            guard let origin = known.origin else { continue }
            if case .place = known.record.body, known.record.stamp.lamport <= newFloor { continue }
            result.entries.append(Checkpoint.Entry(origin: origin, record: known.record))
        }
        return result
    }

    /// The changes that lead from nothing to this state.
    var rebuilding: [StateChange] {
        var changes: [StateChange] = [.checkpointLoaded(asCheckpoint(floor: floor))]
        changes += epochs.map { .epoch($0.identifier, box: $0.box) }
        changes.append(.members(members, tag: membersTag))
        changes += seen.sorted { $0.key < $1.key }.map { .headSeen($0.key, $0.value) }
        changes += confirmed.sorted { $0.key < $1.key }.map { .confirmed($0.key, $0.value) }
        if let checkpoint { changes.append(.checkpointMade(checkpoint, floor: floor)) }
        if let own { changes.append(.joined(own.head, digest: own.digest, tag: own.tag, journal: [])) }
        if let joining { changes.append(.joining(joining)) }
        changes += lists.sorted { $0.key < $1.key }.map { .listed($0.key, $0.value) }
        if !damaged.isEmpty { changes.append(.damaged(damaged.sorted())) }
        if !journal.isEmpty { changes.append(.journaled(journal)) }
        if let pending { changes.append(.pending(pending)) }
        return changes
    }
}
