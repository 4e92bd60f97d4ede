extension DriveDevice {
    /// Reads the list of members, and refuses one that lacks somebody or is older than the known one. If the keys were
    /// renewed meanwhile, takes the new ones.
    ///
    /// - Throws: ``DriveError/removed(_:)`` if they are not meant for this device.
    func readMembers() async throws(DriveError) {
        let name = StoreNames.members.name
        guard let object = try await store.get(StoreNames.members) else {
            guard state.members.members.isEmpty else {
                let error = DriveError.rolledBack("The store no longer has the list of members.")
                raise(name, error)
                throw error
            }
            return
        }
        // A machine that was let in again may have the list without its keys.
        if object.tag != state.membersTag || (state.members.epoch ?? keys.epoch) != keys.epoch {
            do throws(DriveError) { try await takeMembers(object) } catch {
                if !error.isOfPassage { raise(name, error) }
                throw error
            }
            clearAlarm(name)
        }
        knowsMembers = true
        if let device = state.device, state.members.removal(of: device) != nil {
            throw .removed("This machine was removed from the drive.")
        }
    }

    private func takeMembers(_ object: StoredObject) async throws(DriveError) {
        let name = StoreNames.members.name
        guard let epoch = SealedObject.epoch(of: object.bytes) else { throw .malformed("\(name) is not sealed.") }
        guard epoch == keys.epoch || keys.epochKeys[epoch] == nil else {
            throw .rolledBack("The store shows a list of members from before the keys were changed.")
        }
        let deviceKeys = deviceKeys
        let (later, steps) = try await DriveEpoch.follow(keys, to: epoch, in: store) { epoch in
            for box in epoch.boxes { if let opened = deviceKeys.open(box) { return (opened, box) } }
            return nil
        }
        let signed = try SignedPayload(SealedObject.open(object.bytes, kind: .members, name: name, keys: later))
        let list = try MemberList(signed.body)
        guard let signer = list[signed.signer], list.removal(of: signed.signer) == nil else {
            throw .tampered("A stranger signed the list of members.")
        }
        try signed.verify(kind: .members, name: name, signingKey: signer.signingKey)
        guard list.version >= state.members.version else {
            throw .rolledBack("The store shows an older list of members than before.")
        }
        guard list.continues(state.members) else {
            throw .forked("The list of members lacks something that was in it.")
        }
        guard list.epoch == nil ? later.epochKeys.count == 1 : list.epoch == later.epoch else {
            throw .tampered("The list of members is sealed with the key of another epoch.")
        }
        for step in steps {
            guard let author = list[step.signature.signer] else {
                throw .tampered("A stranger changed the drive's keys.")
            }
            try step.signature.verify(
                kind: .epoch, name: StoreNames.epoch(step.epoch).name, signingKey: author.signingKey)
        }
        // Another call may have taken the same list meanwhile.
        guard list.continues(state.members) else { return }
        try commit(steps.map { .epoch($0.epoch, box: $0.box) } + [.members(list, tag: object.tag)])
        if keys.isContinued(by: later) { keys = later }
    }

    /// The list of members as an object for the store.
    func seal(
        _ list: MemberList, signer: DriveIdentifier, _ keys: DriveKeys
    ) throws(DriveError) -> [UInt8] {
        let name = StoreNames.members.name
        let signed = SignedPayload(list.encoded, kind: .members, name: name, signer: signer, keys: deviceKeys)
        return try SealedObject.seal(signed.encoded, kind: .members, name: name, keys: keys)
    }

    /// Whether a device can still write: it was not removed, and its head is not closed.
    func isPresent(_ device: DriveIdentifier) -> Bool {
        state.members[device] != nil && state.members.removal(of: device) == nil && closers[device] == nil
    }

    // MARK: Closed heads

    /// The sealed head in an object, and the device that closed it, if one did.
    func unwrap(
        _ object: [UInt8], of device: DriveIdentifier
    ) throws(DriveError) -> (sealed: [UInt8], closer: DriveIdentifier?) {
        let name = StoreNames.head(device).name
        guard let plain = try? SealedObject.open(object, kind: .closing, name: name, keys: keys) else {
            return (object, nil)
        }
        let signed = try SignedPayload(plain)
        guard let closer = state.members[signed.signer], signed.signer != device else {
            throw .tampered("A stranger closed \(name).")
        }
        try signed.verify(kind: .closing, name: name, signingKey: closer.signingKey)
        return (signed.body, signed.signer)
    }

    /// The same; a closer that is not known yet may have come in a moment ago.
    func unwrapAgain(
        _ object: [UInt8], of device: DriveIdentifier
    ) async throws(DriveError) -> (sealed: [UInt8], closer: DriveIdentifier?) {
        do throws(DriveError) { return try unwrap(object, of: device) } catch {
            try await readMembers()
            return try unwrap(object, of: device)
        }
    }

    /// What stands in the place of a head that is closed.
    func closing(_ sealed: [UInt8], of device: DriveIdentifier, by closer: DriveIdentifier) throws(DriveError)
        -> [UInt8]
    {
        let name = StoreNames.head(device).name
        let signed = SignedPayload(sealed, kind: .closing, name: name, signer: closer, keys: deviceKeys)
        return try SealedObject.seal(signed.encoded, kind: .closing, name: name, keys: keys)
    }
}
