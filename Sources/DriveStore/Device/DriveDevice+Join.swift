extension DriveDevice {
    /// Takes an identifier: writes its head, enters the list of members, reads everything again, and only then stamps
    /// the journal. Cut off anywhere, it goes on with the same identifier.
    func join() async throws(DriveError) {
        try await readHeads()
        let device: DriveIdentifier
        if let known = state.joining {
            device = known
        } else {
            device = .random()
            try commit([.joining(device)])
        }
        let key = StoreNames.head(device)
        let first = DriveHead(device: device, lamport: state.lamport)
        _ = try await store.create(key, try seal(first))
        guard let object = try await store.get(key) else { throw .missing("The store lost this device's first head.") }
        if let epoch = SealedObject.epoch(of: object.bytes), keys.epochKeys[epoch] == nil { try await readMembers() }
        let (sealed, closer) = try await unwrapAgain(object.bytes, of: device)
        let signed = try SignedPayload(SealedObject.open(sealed, kind: .head, name: key.name, keys: keys))
        guard (try? signed.verify(kind: .head, name: key.name, signingKey: deviceKeys.signingKey)) != nil else {
            // An earlier try with the keys of an earlier setup: the caller joins under another identifier.
            try commit([.identityLost])
            return
        }
        if let closer {
            try await leave(closedBy: closer)
            return
        }
        let head = try DriveHead(signed.body)
        try await enterMembers(device)
        // Now that everybody can know of this device: the clocks and floors that count for it.
        try await readHeads()
        guard head.sequence == 0 else {
            // A copy of this state has joined under this identifier meanwhile: the caller joins again under another.
            try commit([.identityLost])
            return
        }
        try commit([
            .joined(head, digest: Sodium.hash(sealed), tag: object.tag, journal: restamped(for: device))
        ])
        knowsOwnHead = true
        heads[device] = nil
    }

    private func enterMembers(_ device: DriveIdentifier) async throws(DriveError) {
        let member = MemberList.Member(
            identifier: device, name: name, signingKey: deviceKeys.signingKey, boxKey: deviceKeys.boxKey,
            joined: now())
        for _ in 0..<100 {
            try await readMembers()
            if state.members[device] != nil { return }
            var list = state.members
            list.version += 1
            list.members.append(member)
            let sealed = try seal(list, signer: device, keys)
            // The outcome is read back either way.
            if let tag = state.membersTag {
                _ = try await store.replace(StoreNames.members, sealed, tag: tag)
            } else {
                _ = try await store.create(StoreNames.members, sealed)
            }
        }
        throw .unreachable("The list of members changes all the time.")
    }

    /// The journal with stamps of a new identifier: without what an older identifier or a copy of this device has sent
    /// already, and without moves of items that others have moved since.
    private func restamped(for device: DriveIdentifier) -> [DriveRecord] {
        let mine = Set(state.journal.map(\.identifier))
        var published: Set<DriveIdentifier> = []
        var moved: [DriveIdentifier: Stamp] = [:]
        for (item, place) in state.base { moved[item] = place.touched }
        for known in state.records.values where known.origin != nil {
            published.insert(known.record.identifier)
            guard case .place(let item, _, _, _, _) = known.record.body, !mine.contains(known.record.identifier) else {
                continue
            }
            moved[item] = max(moved[item] ?? known.record.stamp, known.record.stamp)
        }
        var lamport = state.lamport
        var output = [
            DriveRecord(
                stamp: Stamp(lamport: lamport + 1, device: device), time: now(), body: .device(name: name))
        ]
        lamport += 1
        for var record in state.journal {
            if published.contains(record.identifier) { continue }
            if case .device = record.body { continue }
            // The content is looked at again, and sent again if need be.
            if record.body.packs.contains(where: state.avoided.contains) { continue }
            if case .place(let item, _, _, _, let previous) = record.body, let stamp = moved[item] {
                guard let previous, stamp <= previous else { continue }
            }
            lamport = max(lamport + 1, UInt64(max(now(), 0)))
            record.stamp = Stamp(lamport: lamport, device: device)
            output.append(record)
        }
        return output
    }
}
