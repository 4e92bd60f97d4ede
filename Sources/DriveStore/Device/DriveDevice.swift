/// One device's view of a drive, and its hand in it.
///
/// Changes are recorded on this device's disk at once and travel to the store when ``append()`` is called; ``read()``
/// takes in what others did. Both may fail at any point, be repeated at any time, and be cut off by a crash at any
/// instruction.
package actor DriveDevice {
    let store: any ObjectStore
    /// The drive's keys, those of later epochs among them.
    package internal(set) var keys: DriveKeys
    nonisolated let chunkKey: [UInt8]
    let deviceKeys: DeviceKeys
    /// The device's name for people.
    package nonisolated let name: String
    let log: StateLog
    var state: DeviceState
    /// What the store or a device did that must not happen, since this process started.
    package internal(set) var alarms: Set<DriveAlarm> = []
    /// Whether the own head was compared with the store's since this process started.
    var knowsOwnHead = false
    /// Whether the list of members was read since this process started and since the store was last out of reach.
    var knowsMembers = false
    /// The devices whose heads are closed, with those that closed them.
    var closers: [DriveIdentifier: DriveIdentifier] = [:]
    /// The chunks of versions whose list of chunks is itself in chunks.
    var listedChunks: [DriveIdentifier: [ChunkIdentifier]] = [:]
    /// The heads of others as last read by this process.
    var heads: [DriveIdentifier: DriveHead] = [:]
    private let queue = DriveExecutor()
    private let clock: @Sendable () -> Int64
    private var cachedTree: (generation: Int, tree: DriveTree)?
    private let logTurns = Turns()
    let uploadTurns = Turns()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// Opens a device's state, or begins one.
    ///
    /// - Parameters:
    ///   - directory: Where the state is kept; it exists, and one process at a time uses it.
    ///   - clock: The time in milliseconds since 1970.
    package init(
        store: any ObjectStore, keys: DriveKeys, deviceKeys: DeviceKeys, name: String, directory: String,
        clock: @escaping @Sendable () -> Int64 = DriveClock.milliseconds
    ) throws(DriveError) {
        self.store = store
        chunkKey = keys.chunkKey
        self.deviceKeys = deviceKeys
        self.name = name
        self.clock = clock
        let (log, changes) = try StateLog.open(directory)
        self.log = log
        var state = DeviceState()
        for change in changes { state.apply(change) }
        // The keys of a device that was set up anew belong to a new identifier.
        if let device = state.device, let member = state.members[device],
            member.signingKey != deviceKeys.signingKey
        {
            try log.append([.identityLost])
            state.apply(.identityLost)
        }
        self.state = state
        // The keyring may have older keys, because it is not written after a setup, or newer ones after another setup.
        var present = keys
        for epoch in state.epochs {
            guard let opened = deviceKeys.open(epoch.box), let later = try? DriveKeys(CBORDecoder.decode(opened)),
                present.isContinued(by: later)
            else { continue }
            present = later
        }
        self.keys = present
    }

    /// The tree with what is not yet in the store.
    package var tree: DriveTree {
        if let cachedTree, cachedTree.generation == state.generation { return cachedTree.tree }
        let tree = TreeFold.tree(
            base: state.base, floor: state.floor, records: state.records.values.lazy.map(\.record))
        cachedTree = (state.generation, tree)
        return tree
    }

    /// Counts what changes the tree, since this process started.
    package var generation: Int { state.generation }
    /// The own identifier; nil until the device has joined.
    package var device: DriveIdentifier? { state.device }
    /// The devices of the drive, as far as they are known.
    package var members: MemberList { state.members }
    /// How many records are on this device alone.
    package var unsent: Int { state.journal.count }

    func now() -> Int64 { clock() }

    /// Records changes: first on disk, then in memory.
    func commit(_ changes: [StateChange]) throws(DriveError) {
        guard !changes.isEmpty else { return }
        try log.append(changes)
        for change in changes { state.apply(change) }
        if log.shallBeRewritten { try log.rewrite(state.rebuilding) }
    }

    /// Runs one thing at a time that speaks to the store about the log. Changes by the user go on meanwhile.
    func exclusively<Value>(_ body: () async throws(DriveError) -> Value) async throws(DriveError) -> Value {
        await logTurns.take()
        defer { logTurns.give() }
        do throws(DriveError) { return try await body() } catch {
            knowsMembers = false
            throw error
        }
    }

    func raise(_ subject: String, _ error: DriveError) { alarms.insert(DriveAlarm(subject: subject, error: error)) }

    func clearAlarm(_ subject: String) { alarms = alarms.filter { $0.subject != subject } }

    /// A record of this device with the next stamp.
    func record(_ body: RecordBody) -> DriveRecord { records([body])[0] }

    /// Records of this device with the next stamps.
    func records(_ bodies: [RecordBody]) -> [DriveRecord] {
        let time = now()
        var lamport = state.lamport
        return bodies.map { body in
            lamport = max(lamport + 1, UInt64(max(time, 0)))
            // Without an identifier yet, the stamp is provisional: joining stamps the journal anew.
            return DriveRecord(
                stamp: Stamp(lamport: lamport, device: state.device ?? .unjoined), time: time, body: body)
        }
    }
}

extension DriveIdentifier {
    /// Stands for a device that has not joined; greater than any random identifier.
    static let unjoined = DriveIdentifier(bytes: [UInt8](repeating: 0xFF, count: 16)) ?? .root
}
