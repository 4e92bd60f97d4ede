extension DriveDevice {
    private static let maximumBatch = 1 << 20
    private static let attempts = 8

    /// Sends what is on this device alone. Afterwards the journal is empty, unless the user changed something
    /// meanwhile.
    package func append() async throws(DriveError) {
        try await exclusively { () async throws(DriveError) in try await self.appendAll() }
    }

    func appendAll(force: Bool = false) async throws(DriveError) {
        var force = force
        for _ in 0..<1000 {
            if state.device == nil {
                try await join()
                continue
            }
            if state.pending == nil {
                guard force || !state.journal.isEmpty || owesAcknowledgement else { return }
                // Not with keys that were given up while this machine was away.
                if !knowsMembers { try await readMembers() }
                try await prepare()
                force = false
            }
            try await send()
        }
        throw .unreachable("The store accepts no change of this device's head.")
    }

    /// Journals the next head with the bytes that will be sent. Whatever happens, no others are sent before the outcome
    /// of these is known.
    private func prepare() async throws(DriveError) {
        guard let own = state.own, let device = state.device else { return }
        var batch: [DriveRecord] = []
        var encodings: [[UInt8]] = []
        var size = 0
        for record in state.journal {
            let encoded = record.encoded
            if size + encoded.count > Self.maximumBatch, !batch.isEmpty { break }
            batch.append(record)
            encodings.append(encoded)
            size += encoded.count
        }
        var head = own.head
        head.sequence += 1
        if head.tail.reduce(size, { $0 + $1.count }) > DriveHead.maximumTail {
            try await spill(&head)
        }
        head.tail += encodings
        head.position = head.position.adding(encodings)
        if size > DriveHead.maximumTail { try await spill(&head) }
        // From here on nothing waits: no record can come in between.
        head.lamport =
            state.journal.count > batch.count ? state.journal[batch.count].stamp.lamport - 1 : state.lamport
        head.seen = state.positions
        head.seen[device] = nil
        head.membersVersion = state.members.version
        head.checkpoint = state.checkpoint
        head.confirmed = state.confirmed.sorted { $0.key < $1.key }.map(\.value)
        noteLists(&head, left: state.journal.dropFirst(batch.count))
        let sealed = try seal(head)
        try commit([.pending(DeviceState.Pending(head: head, sealed: sealed, count: batch.count))])
    }

    /// Moves the tail into a segment. Its name follows from its content, so that a repetition finds the first try.
    private func spill(_ head: inout DriveHead) async throws(DriveError) {
        guard !head.tail.isEmpty else { return }
        let first = head.position.count - head.tail.count
        let key = StoreNames.segment(head.device, head.position)
        _ = try await store.create(
            key, try segmentObject(head.tail, first: first, name: key.name, of: head.device))
        head.segments.append(DriveHead.Segment(name: key.name, first: first, end: head.position))
        head.tail = []
    }

    func segmentObject(
        _ records: [[UInt8]], first: Int, name: String, of device: DriveIdentifier
    ) throws(DriveError) -> [UInt8] {
        let body = CBOR.array([.identifier(device), .unsigned(first), .array(records.map { .bytes($0) })]).encoded
        let signed = SignedPayload(body, kind: .segment, name: name, signer: device, keys: deviceKeys)
        return try SealedObject.seal(signed.encoded, kind: .segment, name: name, keys: keys)
    }

    func seal(_ head: DriveHead) throws(DriveError) -> [UInt8] {
        let name = StoreNames.head(head.device).name
        let signed = SignedPayload(head.encoded, kind: .head, name: name, signer: head.device, keys: deviceKeys)
        return try SealedObject.seal(signed.encoded, kind: .head, name: name, keys: keys)
    }

    private func send() async throws(DriveError) {
        guard let pending = state.pending, let device = state.device else { return }
        let key = StoreNames.head(device)
        for _ in 0..<Self.attempts {
            guard let tag = state.own?.tag, knowsOwnHead else {
                try await settle()
                if state.pending != pending { return }
                continue
            }
            guard case .written(let next) = try await store.replace(key, pending.sealed, tag: tag) else {
                try await settle()
                if state.pending != pending { return }
                continue
            }
            try commit([.appended(tag: next)])
            return
        }
        throw .unreachable("The store refuses to replace a head that has not changed.")
    }

    /// Compares the store's own head with what is known here. What was known or is being sent is ours. Something newer
    /// means that another machine has a copy of this device's state, or that this state was restored from a backup: a
    /// new identifier. Something older means that the store lost or hides what it had accepted: nothing is written
    /// then.
    func settle() async throws(DriveError) {
        guard let device = state.device, let own = state.own else { return }
        let name = StoreNames.head(device).name
        guard let object = try await store.get(StoreNames.head(device)) else {
            let error = DriveError.rolledBack("The store no longer has this device's head.")
            raise(name, error)
            throw error
        }
        if let epoch = SealedObject.epoch(of: object.bytes), keys.epochKeys[epoch] == nil { try await readMembers() }
        let (sealed, closer) = try await unwrapAgain(object.bytes, of: device)
        let digest = Sodium.hash(sealed)
        if let closer {
            try await leave(closedBy: closer)
            return
        }
        if digest == own.digest {
            if own.tag != object.tag { try commit([.ownTag(object.tag)]) }
        } else if digest == state.pending?.digest {
            try commit([.appended(tag: object.tag)])
        } else {
            try judge(object, name, device: device, own: own)
        }
        knowsOwnHead = true
        clearAlarm(name)
    }

    /// The own head is closed: this device is being removed. If the one that did it was itself removed, it does not
    /// count, and this device goes on under a new identifier.
    func leave(closedBy closer: DriveIdentifier) async throws(DriveError) {
        try await readMembers()
        guard state.members.removal(of: closer) != nil else {
            throw .removed("The machine \(describe(closer)) has removed this one from the drive.")
        }
        knowsOwnHead = false
        try commit([.identityLost])
    }

    private func judge(
        _ object: StoredObject, _ name: String, device: DriveIdentifier, own: DeviceState.OwnHead
    ) throws(DriveError) {
        do throws(DriveError) {
            let signed = try SignedPayload(
                SealedObject.open(object.bytes, kind: .head, name: name, keys: keys))
            guard signed.signer == device else { throw .tampered("Another device has signed \(name).") }
            try signed.verify(kind: .head, name: name, signingKey: deviceKeys.signingKey)
            let head = try DriveHead(signed.body)
            guard head.sequence > own.head.sequence else {
                throw .rolledBack("The store shows an older head of this device than it had accepted.")
            }
        } catch {
            raise(name, error)
            throw error
        }
        knowsOwnHead = false
        try commit([.identityLost])
    }
}
