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
        let isDoubtful = alarms.contains { $0.subject == StoreNames.members.name }
        if isDoubtful || state.device == nil || tags.keys.contains(where: { state.members[$0] == nil }) {
            try await readMembers()
        }
        if state.device == nil && state.positions.isEmpty { try await loadCheckpoint() }
        // A listing may lag behind: members are asked for by name.
        if let device = state.device, state.members.removal(of: device) != nil {
            throw .removed("This machine was removed from the drive.")
        }
        for device in Set(tags.keys).union(state.members.members.map(\.identifier)).sorted() {
            if device == state.device {
                let tag = tags[device] ?? nil
                if !knowsOwnHead || (tag != nil && tag != state.own?.tag) { try await settle() }
                if state.device == nil { return }
            } else if isDone(device) {
                clearAlarm(StoreNames.head(device).name)
            } else if state.members[device] != nil {
                if heads[device] != nil, let tag = tags[device] ?? nil, tag == state.seen[device]?.tag { continue }
                _ = try await readHead(of: device)
            }
        }
        try await checkWithheld()
    }

    /// Whether a device was removed, and everything of it is here.
    private func isDone(_ device: DriveIdentifier) -> Bool {
        guard let removal = state.members.removal(of: device) else { return false }
        return position(of: device) == removal.position && state.seen[device]?.sequence ?? 0 >= removal.sequence
    }

    /// Reads a device's head and what is new in its log.
    ///
    /// - Returns: Nil if the head is not right; it is reported then.
    /// - Throws: Only when the store cannot be reached, or the own disk fails.
    func readHead(of device: DriveIdentifier) async throws(DriveError) -> DriveHead? {
        let name = StoreNames.head(device).name
        do throws(DriveError) {
            var last: String?
            for _ in 0..<3 {
                guard let object = try await store.get(StoreNames.head(device)) else {
                    throw .missing("The head of the device \(describe(device)) is not in the store.")
                }
                if let head = try await readHead(object, of: device) { return head }
                // What an earlier head names may be gone by the time at which it is looked for.
                if object.tag == last { break }
                last = object.tag
            }
            return nil
        } catch {
            if error.isOfPassage { throw error }
            raise(name, error)
            return nil
        }
    }

    /// The same with an object that was read already.
    func readHead(_ object: StoredObject, of device: DriveIdentifier) async throws(DriveError) -> DriveHead? {
        let name = StoreNames.head(device).name
        do throws(DriveError) {
            // Keys that are new are announced by the list of members.
            if let epoch = SealedObject.epoch(of: object.bytes), keys.epochKeys[epoch] == nil {
                try await readMembers()
            }
            let (sealed, closer) = try await unwrapAgain(object.bytes, of: device)
            let head = try openHead(sealed, of: device)
            let digest = Sodium.hash(sealed)
            try check(head, digest: digest)
            try await takeIn(head)
            try await takeList(of: head)
            let seen = DeviceState.SeenHead(
                sequence: head.sequence, digest: digest, tag: object.tag, lamport: head.lamport)
            if state.seen[device] != seen { try commit([.headSeen(device, seen)]) }
            heads[device] = head
            closers[device] = closer
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

    private func openHead(_ sealed: [UInt8], of device: DriveIdentifier) throws(DriveError) -> DriveHead {
        let name = StoreNames.head(device).name
        let signed = try SignedPayload(SealedObject.open(sealed, kind: .head, name: name, keys: keys))
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

    /// Reads the records that are new, segment by segment, each checked against the chain before it counts. Those
    /// behind the end of a device that was removed do not count.
    private func takeIn(_ head: DriveHead) async throws(DriveError) {
        let device = head.device
        for segment in head.segments where segment.end.count > position(of: device).count {
            if let removal = state.members.removal(of: device), position(of: device) == removal.position { return }
            let records = try await segmentRecords(segment, of: device)
            try receive(records, from: segment.first, of: device, upTo: segment.end)
        }
        try receive(head.tail, from: head.position.count - head.tail.count, of: device, upTo: head.position)
        if let removal = state.members.removal(of: device), position(of: device).count < removal.position.count {
            throw .rolledBack("The store hides records of the device \(describe(device)), which was removed.")
        }
    }

    /// - Parameter first: The number of the first of the records in the log.
    private func receive(
        _ encodings: [[UInt8]], from first: Int, of device: DriveIdentifier, upTo end: LogPosition
    ) throws(DriveError) {
        var end = end
        if let removal = state.members.removal(of: device), removal.position.count < end.count {
            end = removal.position
        }
        let known = position(of: device).count
        guard known < end.count else { return }
        try receive(Array(encodings.prefix(end.count - first).dropFirst(known - first)), of: device, upTo: end)
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
        for reader in heads.values where isPresent(reader.device) {
            for (device, position) in reader.seen where isPresent(device) && device != state.device {
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
