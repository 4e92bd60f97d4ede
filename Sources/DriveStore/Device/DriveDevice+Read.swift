extension DriveDevice {
    /// Takes in what other devices have done: one listing, and a request for each head that changed. A device whose
    /// objects are not right is reported in ``alarms``, and the others are read all the same.
    package func read() async throws(DriveError) {
        try await exclusively { () async throws(DriveError) in try await self.readHeads() }
    }

    func readHeads() async throws(DriveError) {
        let listed = try await store.list(StoreNames.heads)
        var tags: [DriveIdentifier: String?] = [:]
        for entry in listed {
            if let device = StoreNames.device(ofHead: entry.name) { tags.updateValue(entry.tag, forKey: device) }
        }
        if state.device == nil || tags.keys.contains(where: { state.members[$0] == nil }) {
            try await readMembers()
        }
        if state.device == nil && state.positions.isEmpty { try await loadCheckpoint() }
        // A listing may lag behind: members are asked for by name.
        for device in Set(tags.keys).union(state.members.members.map(\.identifier)).sorted() {
            if device == state.device {
                let tag = tags[device] ?? nil
                if !knowsOwnHead || (tag != nil && tag != state.own?.tag) { try await settle() }
                if state.device == nil { return }
            } else if state.members[device] != nil {
                if heads[device] != nil, let tag = tags[device] ?? nil, tag == state.seen[device]?.tag { continue }
                _ = try await readHead(of: device)
            }
        }
        try await checkWithheld()
    }

    /// Reads a device's head and what is new in its log.
    ///
    /// - Returns: Nil if the head is not right; it is reported then.
    /// - Throws: Only when the store cannot be reached, or the own disk fails.
    func readHead(of device: DriveIdentifier) async throws(DriveError) -> DriveHead? {
        let name = StoreNames.head(device).name
        do throws(DriveError) {
            guard let object = try await store.get(StoreNames.head(device)) else {
                throw .missing("The head of the device \(describe(device)) is not in the store.")
            }
            let head = try openHead(object, of: device)
            try check(head, digest: Sodium.hash(object.bytes))
            try await takeIn(head)
            let seen = DeviceState.SeenHead(
                sequence: head.sequence, digest: Sodium.hash(object.bytes), tag: object.tag, lamport: head.lamport)
            if state.seen[device] != seen { try commit([.headSeen(device, seen)]) }
            heads[device] = head
            if head.membersVersion > state.members.version { try await readMembers() }
            clearAlarm(name)
            return head
        } catch {
            if error.isOfPassage { throw error }
            raise(name, error)
            return nil
        }
    }

    func describe(_ device: DriveIdentifier) -> String {
        state.members[device].map { "\($0.name) (\(device.description.prefix(6)))" } ?? device.description
    }

    private func openHead(_ object: StoredObject, of device: DriveIdentifier) throws(DriveError) -> DriveHead {
        let name = StoreNames.head(device).name
        let signed = try SignedPayload(SealedObject.open(object.bytes, kind: .head, name: name, keys: keys))
        guard signed.signer == device, let member = state.members[device] else {
            throw .tampered("Another device has signed \(name).")
        }
        try signed.verify(kind: .head, name: name, signingKey: member.signingKey)
        let head = try DriveHead(signed.body)
        guard head.device == device else { throw .tampered("\(name) is the head of another device.") }
        return head
    }

    /// Compares a head with the memory of this device.
    private func check(_ head: DriveHead, digest: [UInt8]) throws(DriveError) {
        let who = describe(head.device)
        if let seen = state.seen[head.device] {
            guard head.sequence >= seen.sequence, head.lamport >= seen.lamport else {
                throw .rolledBack("The store shows an older head of the device \(who) than before.")
            }
            guard head.sequence > seen.sequence || digest == seen.digest else {
                throw .forked("The device \(who) has two heads of the same number.")
            }
        }
        let position = state.positions[head.device] ?? .start
        guard head.position.count >= position.count else {
            throw .rolledBack("The store shows fewer records of the device \(who) than before.")
        }
        guard head.position.count > position.count || head.position.chain == position.chain else {
            throw .forked("The log of the device \(who) has another past than before.")
        }
    }

    /// Reads the records that are new, segment by segment, each checked against the chain before it counts.
    private func takeIn(_ head: DriveHead) async throws(DriveError) {
        for segment in head.segments where segment.end.count > position(of: head.device).count {
            let records = try await segmentRecords(segment, of: head.device)
            try receive(
                Array(records.dropFirst(position(of: head.device).count - segment.first)), of: head.device,
                upTo: segment.end)
        }
        let known = position(of: head.device).count
        guard known < head.position.count else { return }
        try receive(
            Array(head.tail.dropFirst(known - (head.position.count - head.tail.count))), of: head.device,
            upTo: head.position)
    }

    private func position(of device: DriveIdentifier) -> LogPosition { state.positions[device] ?? .start }

    /// The records of a segment, after its seal and signature were checked.
    func segmentRecords(
        _ segment: DriveHead.Segment, of device: DriveIdentifier
    ) async throws(DriveError) -> [[UInt8]] {
        guard segment.name == StoreNames.segment(device, segment.end).name else {
            throw .malformed("A segment has a name that does not follow from its content.")
        }
        guard let object = try await store.get(StoreKey(segment.name)) else {
            throw .missing("\(segment.name) is not in the store.")
        }
        let signed = try SignedPayload(
            SealedObject.open(object.bytes, kind: .segment, name: segment.name, keys: keys))
        guard signed.signer == device, let member = state.members[device] else {
            throw .tampered("Another device has signed \(segment.name).")
        }
        try signed.verify(kind: .segment, name: segment.name, signingKey: member.signingKey)
        let parts = try CBORDecoder.decode(signed.body).asArray(count: 3)
        guard try parts[0].asIdentifier() == device, try parts[1].asCount() == segment.first else {
            throw .tampered("\(segment.name) is another segment.")
        }
        var records: [[UInt8]] = []
        for value in try parts[2].asArray() { records.append(try value.asBytes()) }
        guard records.count == segment.end.count - segment.first else {
            throw .malformed("\(segment.name) does not have the records that its head counts.")
        }
        return records
    }

    private func receive(
        _ encodings: [[UInt8]], of device: DriveIdentifier, upTo end: LogPosition
    ) throws(DriveError) {
        guard position(of: device).adding(encodings) == end else {
            throw .forked("The log of the device \(describe(device)) has another past than before.")
        }
        var records: [DriveRecord] = []
        for encoded in encodings {
            let record = try DriveRecord(encoded)
            guard record.stamp.device == device else { throw .malformed("A record is stamped by another device.") }
            if case .place = record.body, record.stamp.lamport <= state.floor {
                throw .forked("The device \(describe(device)) sends a record from before the drive's floor.")
            }
            records.append(record)
        }
        try commit([.received(device, records, upTo: end)])
    }

    /// Whether somebody has read more of a log than the store shows here.
    private func checkWithheld() async throws(DriveError) {
        for reader in heads.values {
            for (device, position) in reader.seen where device != state.device && state.members[device] != nil {
                let mine = self.position(of: device)
                guard position.count > mine.count || (position.count == mine.count && position != mine) else {
                    continue
                }
                // It may have grown while the heads were read.
                guard try await readHead(of: device) != nil else { continue }
                let now = self.position(of: device)
                let name = StoreNames.head(device).name
                if position.count > now.count {
                    raise(
                        name,
                        .rolledBack(
                            "The store hides records of the device \(describe(device)) that \(describe(reader.device)) has read."
                        ))
                } else if position.count == now.count && position != now {
                    raise(name, .forked("The store shows two pasts of the device \(describe(device))."))
                }
            }
        }
    }
}
