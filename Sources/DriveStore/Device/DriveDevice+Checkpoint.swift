extension DriveDevice {
    /// Writes a checkpoint of everything known, and raises the floor as far as all devices allow.
    package func writeCheckpoint() async throws(DriveError) {
        try await exclusively { () async throws(DriveError) in
            try await self.appendAll()
            try await self.readHeads()
            guard let floor = try await self.safeFloor(), self.state.device != nil else { return }
            let checkpoint = self.state.asCheckpoint(floor: floor)
            let identifier = DriveIdentifier.random()
            let parts = checkpoint.parts
            for (number, part) in parts.enumerated() {
                try await self.write(
                    part, .checkpointPart, StoreNames.checkpointPart(identifier, number))
            }
            let index = checkpoint.index(of: parts)
            try await self.write(index, .checkpoint, StoreNames.checkpoint(identifier))
            let reference = DriveHead.CheckpointReference(identifier: identifier, digest: Sodium.hash(index))
            try await self.announce(reference, floor: floor)
        }
    }

    /// The greatest Lamport number below which no device will ever stamp a record again; nil while one cannot be read.
    ///
    /// The list of members is read after the heads: a device that is not in it by then reads these heads, or newer
    /// ones, before it stamps its first record.
    private func safeFloor() async throws(DriveError) -> UInt64? {
        guard let device = state.device, let own = state.own else { return nil }
        for _ in 0..<10 {
            try await readMembers()
            let members = state.members
            var floor = own.head.lamport
            for member in members.present where member.identifier != device {
                guard let head = try await readHead(of: member.identifier) else { return nil }
                guard closers[member.identifier] == nil else { continue }
                floor = min(floor, head.lamport)
            }
            try await readMembers()
            if state.members == members { return max(floor, state.floor) }
        }
        return nil
    }

    private func write(_ payload: [UInt8], _ kind: ObjectKind, _ key: StoreKey) async throws(DriveError) {
        try await store.publish(key, try SealedObject.seal(payload, kind: kind, name: key.name, keys: keys))
    }

    /// Checks the newest checkpoint of each other device against what is known here, and says in the own head that it
    /// is right. Without that, no new device starts from it.
    package func confirmCheckpoints() async throws(DriveError) {
        try await exclusively { () async throws(DriveError) in
            var found = false
            for head in self.heads.values {
                guard let reference = head.checkpoint, self.state.confirmed[head.device] != reference else { continue }
                guard let checkpoint = try await self.fetch(reference), self.agrees(with: checkpoint) else { continue }
                try self.commit([.confirmed(head.device, reference)])
                found = true
            }
            if found { try await self.appendAll(force: true) }
        }
    }

    private func agrees(with checkpoint: Checkpoint) -> Bool {
        let numbers = state.seen.filter { isPresent($0.key) && $0.key != state.device }.map(\.value.lamport)
        guard checkpoint.floor >= state.floor, checkpoint.floor <= state.own?.head.lamport ?? 0,
            numbers.allSatisfy({ checkpoint.floor <= $0 })
        else { return false }
        for (device, position) in checkpoint.positions {
            guard let mine = state.positions[device], mine.count >= position.count else { return false }
            if mine.count == position.count && mine != position { return false }
        }
        var known: Set<Checkpoint.Entry> = []
        for entry in state.records.values {
            guard let origin = entry.origin, origin.index < checkpoint.positions[origin.device]?.count ?? 0 else {
                continue
            }
            if case .place = entry.record.body, entry.record.stamp.lamport <= checkpoint.floor { continue }
            known.insert(Checkpoint.Entry(origin: origin, record: entry.record))
        }
        return known == Set(checkpoint.entries) && state.placements(at: checkpoint.floor) == checkpoint.base
    }

    private func fetch(_ reference: DriveHead.CheckpointReference) async throws(DriveError) -> Checkpoint? {
        do throws(DriveError) { return try await load(reference).checkpoint } catch {
            if error.isOfPassage { throw error }
            raise(StoreNames.checkpoint(reference.identifier).name, error)
            return nil
        }
    }

    /// Reads a checkpoint, each part checked against its hash.
    ///
    /// - Returns: It, and the bytes that were read.
    func load(
        _ reference: DriveHead.CheckpointReference
    ) async throws(DriveError) -> (checkpoint: Checkpoint, bytes: Int) {
        let key = StoreNames.checkpoint(reference.identifier)
        guard let object = try await store.get(key) else { throw .missing("\(key.name) is not in the store.") }
        let index = try SealedObject.open(object.bytes, kind: .checkpoint, name: key.name, keys: keys)
        guard Sodium.hash(index) == reference.digest else { throw .tampered("\(key.name) is another checkpoint.") }
        var parts: [[UInt8]] = []
        var bytes = object.bytes.count
        for (number, hash) in try Checkpoint.partHashes(index).enumerated() {
            let partKey = StoreNames.checkpointPart(reference.identifier, number)
            guard let object = try await store.get(partKey) else {
                throw .missing("\(partKey.name) is not in the store.")
            }
            let part = try SealedObject.open(object.bytes, kind: .checkpointPart, name: partKey.name, keys: keys)
            guard Sodium.hash(part) == hash else { throw .tampered("\(partKey.name) is another part.") }
            parts.append(part)
            bytes += object.bytes.count
        }
        return (try Checkpoint(index: index, parts: parts), bytes)
    }

    /// For a device that knows nothing yet: starts from the newest checkpoint that a second device found right, or from
    /// the only device's own.
    func loadCheckpoint() async throws(DriveError) {
        var candidates: [(lamport: UInt64, reference: DriveHead.CheckpointReference)] = []
        var confirmed: Set<DriveHead.CheckpointReference> = []
        for member in state.members.present {
            let key = StoreNames.head(member.identifier)
            guard let object = try await store.get(key),
                let plain = try? SealedObject.open(object.bytes, kind: .head, name: key.name, keys: keys),
                let signed = try? SignedPayload(plain), signed.signer == member.identifier,
                (try? signed.verify(kind: .head, name: key.name, signingKey: member.signingKey)) != nil,
                let head = try? DriveHead(signed.body)
            else { continue }
            if let reference = head.checkpoint { candidates.append((head.lamport, reference)) }
            confirmed.formUnion(head.confirmed)
        }
        let isAlone = state.members.present.count == 1
        for candidate in candidates.sorted(by: { $0.lamport > $1.lamport })
        where isAlone || confirmed.contains(candidate.reference) {
            guard let checkpoint = try await fetch(candidate.reference) else { continue }
            try commit([.checkpointLoaded(checkpoint)])
            return
        }
    }
}

extension DriveDevice {
    /// Says in the own head that there is a checkpoint.
    func announce(_ reference: DriveHead.CheckpointReference, floor: UInt64) async throws(DriveError) {
        try commit([.checkpointMade(reference, floor: floor)])
        try await appendAll(force: true)
    }
}
