extension DriveDevice {
    /// So many packs at most are removed at once: the record that says so has to fit into a log.
    private static let mostPacks = 20_000
    /// A pack that no record names is taken for a leftover after this time, not before: it may be on its way.
    private static let patienceWithLeftovers: Int64 = 7 * 86_400_000

    /// Gives up what has been in the trash, and versions that were replaced, for longer than some days, and removes the
    /// packs that are not needed then. No clock decides whether that is safe: packs are removed after all devices have
    /// acknowledged that they refer to none of them, and are still not needed then. May be repeated at any time, and
    /// goes on where it was.
    ///
    /// - Parameters:
    ///   - keepDays: 0 keeps nothing of what was deleted or replaced.
    ///   - isTrial: Only says what there is.
    ///   - patience: How long a step may take; see ``DriveCollection/State/more``.
    /// - Throws: ``DriveError`` if anything of another device cannot be read: it may need any pack.
    package func collect(
        keepDays: Int, isTrial: Bool = false, within patience: Duration = .seconds(8)
    ) async throws(DriveError) -> DriveCollection {
        try await exclusively { () async throws(DriveError) in
            let end = ContinuousClock.now + patience
            try await self.lookAround()
            if let device = self.state.device, let list = self.state.lists[device] {
                return try await self.carryOut(list, isTrial: isTrial, until: end)
            }
            return try await self.find(keepDays: keepDays, isTrial: isTrial, until: end)
        }
    }

    /// Sends and reads everything.
    private func lookAround() async throws(DriveError) {
        try await appendAll()
        try await readMembers()
        try await readHeads()
        guard let device = state.device else { throw .unreachable("This machine gets a new identifier. Try again.") }
        for member in state.members.present where member.identifier != device && heads[member.identifier] == nil {
            // It may have come in a moment ago.
            if try await readHead(of: member.identifier) != nil { continue }
            throw alarms.first { $0.subject == StoreNames.head(member.identifier).name }?.error
                ?? .missing("The head of the device \(describe(member.identifier)) cannot be read.")
        }
        let objects = [StoreNames.members.name] + state.members.members.map { StoreNames.head($0.identifier).name }
        if let alarm = alarms.first(where: { objects.contains($0.subject) }) { throw alarm.error }
    }

    private func find(
        keepDays: Int, isTrial: Bool, until end: ContinuousClock.Instant
    ) async throws(DriveError) -> DriveCollection {
        guard let device = state.device else { return DriveCollection() }
        let kept = Int64(max(keepDays, 0)) * 86_400_000
        let limit = kept == 0 ? UInt64.max : UInt64(max(now() - kept, 0))
        var result = DriveCollection()
        let expired = expiredTrash(before: limit)
        result.items = expired.count
        if !isTrial && !expired.isEmpty {
            for start in stride(from: 0, to: expired.count, by: 1000) {
                try purge(Array(expired[start..<min(start + 1000, expired.count)]))
            }
            try await appendAll()
        }
        let needed = try await neededPacks(since: limit, without: Set(expired))
        let age = min(kept, Self.patienceWithLeftovers)
        let time = now()
        let found = try await store.list(StoreNames.packs).compactMap { entry -> (DriveIdentifier, Int)? in
            guard let pack = StoreNames.pack(ofName: entry.name), !needed.contains(pack),
                age == 0 || entry.modified.map({ $0 < time - age }) ?? true
            else { return nil }
            return (pack, entry.size)
        }.prefix(Self.mostPacks)
        result.packs = found.count
        result.bytes = found.reduce(0) { $0 + $1.1 }
        guard !found.isEmpty else { return result }
        result.state = .found
        if isTrial { return result }
        try await dropOldLists()
        let list = try await announce(found.map(\.0), device)
        var done = try await carryOut(list, isTrial: false, until: end)
        done.items = result.items
        return done
    }

    /// Items in the trash whose deletion is older.
    private func expiredTrash(before limit: UInt64) -> [DriveIdentifier] {
        let tree = tree
        return tree.trashed.subtracting(tree.purged).filter {
            tree.trashNotes[$0]?.stamp.map { $0.lamport < limit } ?? false
        }.sorted()
    }

    /// The packs with a chunk of content that is still needed: the versions that nothing replaces, all versions of an
    /// item while one of those is on its way, and those that were replaced after a time.
    private func neededPacks(
        since limit: UInt64, without given: Set<DriveIdentifier>
    ) async throws(DriveError) -> Set<DriveIdentifier> {
        let tree = tree
        var chunks: Set<ChunkIdentifier> = []
        for (item, versions) in tree.versionsOfItem where !tree.purged.contains(item) && !given.contains(item) {
            let heads = Set(tree.heads[item] ?? [])
            var replaced: [DriveIdentifier: UInt64] = [:]
            for version in versions {
                guard let known = tree.versions[version] else { continue }
                for parent in known.content.parents {
                    replaced[parent] = min(replaced[parent] ?? .max, known.stamp.lamport)
                }
            }
            let needsAll = !heads.isSubset(of: tree.arrived)
            for version in versions where needsAll || heads.contains(version) || (replaced[version] ?? .max) >= limit {
                guard let content = tree.versions[version]?.content else { continue }
                chunks.formUnion(try await chunkIdentifiers(of: content, isArrived: tree.arrived.contains(version)))
            }
        }
        return chunks.reduce(into: []) { packs, chunk in
            for place in state.chunks[chunk] ?? [] { packs.insert(place.pack) }
        }
    }

    private func chunkIdentifiers(
        of content: ContentVersion, isArrived: Bool
    ) async throws(DriveError) -> [ChunkIdentifier] {
        guard case .indirect(let listPieces) = content.manifest else {
            return try await pieces(of: content).map(\.chunk)
        }
        if let known = listedChunks[content.version] { return known }
        do throws(DriveError) {
            let chunks = try await pieces(of: content).map(\.chunk) + listPieces.map(\.chunk)
            listedChunks[content.version] = chunks
            return chunks
        } catch {
            // Whoever sends it refers to no listed pack; what it is made of is not known yet.
            if !isArrived, case .notArrived = error { return listPieces.map(\.chunk) }
            throw error
        }
    }

    /// Removes lists that were carried out, of any device.
    private func dropOldLists() async throws(DriveError) {
        for entry in try await store.list(StoreNames.unusedLists) {
            guard let list = StoreNames.list(ofUnused: entry.name), state.ended.contains(list) else { continue }
            try await store.delete(StoreNames.unused(list))
        }
    }

    private func announce(
        _ packs: [DriveIdentifier], _ device: DriveIdentifier
    ) async throws(DriveError) -> DeviceState.UnusedList {
        let identifier = DriveIdentifier.random()
        let key = StoreNames.unused(identifier)
        let body = CBOR.array(packs.sorted().map { .identifier($0) }).encoded
        let signed = SignedPayload(body, kind: .unused, name: key.name, signer: device, keys: deviceKeys)
        try await store.publish(
            key, try SealedObject.seal(signed.encoded, kind: .unused, name: key.name, keys: keys))
        let list = DeviceState.UnusedList(
            reference: DriveHead.CheckpointReference(identifier: identifier, digest: Sodium.hash(body)),
            packs: Set(packs), lamport: state.lamport)
        try commit([.listed(device, list)])
        return list
    }

    private func carryOut(
        _ list: DeviceState.UnusedList, isTrial: Bool, until end: ContinuousClock.Instant
    ) async throws(DriveError) -> DriveCollection {
        var result = DriveCollection()
        let sizes = Dictionary(
            try await store.list(StoreNames.packs).compactMap { entry in
                StoreNames.pack(ofName: entry.name).map { ($0, entry.size) }
            }, uniquingKeysWith: { first, _ in first })
        result.packs = list.packs.count
        result.bytes = list.packs.reduce(0) { $0 + (sizes[$1] ?? 0) }
        if !isTrial && state.own?.head.unused != list.reference { try await appendAll(force: true) }
        // Who enters from here on sees the announcement before it writes.
        try await lookAround()
        guard let device = state.device, state.lists[device] == list else {
            throw .unreachable("This machine got a new identifier. Try again.")
        }
        result.waitsFor = state.members.present.filter { member in
            member.identifier != device && closers[member.identifier] == nil
                && heads[member.identifier]?.acknowledged.contains(list.reference.identifier) != true
        }
        guard result.waitsFor.isEmpty, !isTrial else {
            result.state = isTrial && result.waitsFor.isEmpty ? .found : .waiting
            return result
        }
        // What came before the acknowledgements may need a pack again.
        let needed = try await neededPacks(since: .max, without: [])
        let dead = list.packs.subtracting(needed).sorted()
        result.packs = dead.count
        result.bytes = dead.reduce(0) { $0 + (sizes[$1] ?? 0) }
        for pack in dead where sizes[pack] != nil {
            guard ContinuousClock.now < end else {
                result.state = .more
                return result
            }
            try await store.delete(StoreNames.pack(pack))
        }
        try commit([.journaled([record(.gone(list: list.reference.identifier, packs: dead))])])
        try await appendAll()
        result.state = .freed
        return result
    }
}
