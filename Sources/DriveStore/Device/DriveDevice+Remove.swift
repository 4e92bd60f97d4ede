extension DriveDevice {
    private static let attempts = 20

    /// Whether removing a device needs the recovery phrase once: the drive's keys were made before they contained what
    /// seals new ones to it.
    package var needsPhrase: Bool { keys.phraseKey == nil }

    /// Takes a device out of the drive for good: closes its head, so that nothing that it writes afterwards counts, and
    /// changes the keys that seal everything from now on. May be repeated after a failure.
    ///
    /// - Parameter phrase: The recovery phrase; only if ``needsPhrase``.
    /// - Throws: ``DriveError/invalid(_:)`` for this device, one that is not in the drive, and a wrong phrase.
    package func remove(_ device: DriveIdentifier, phrase: RecoveryPhrase? = nil) async throws(DriveError) {
        try await exclusively { () async throws(DriveError) in
            // It may be about to take just that identifier.
            if self.state.device == nil { try await self.appendAll() }
            guard self.state.device != device else {
                throw .invalid(
                    self.state.members.present.count == 1
                        ? "This is the only machine of the drive." : "A machine cannot remove itself from the drive.")
            }
            try await self.readMembers()
            guard let member = self.state.members[device] else { throw .invalid("The drive has no such machine.") }
            if self.state.members.removal(of: device) == nil { try await self.remove(member, phrase) }
            // Says in the own head that there is news.
            try await self.appendAll(force: true)
        }
    }

    private func remove(_ member: MemberList.Member, _ phrase: RecoveryPhrase?) async throws(DriveError) {
        let phraseKey = try await phraseKey(phrase)
        for _ in 0..<Self.attempts {
            guard let own = state.device, let tag = state.membersTag else { break }
            var list = state.members
            if list.removal(of: member.identifier) != nil { return }
            let old = keys
            // A copy of the machine has its keys.
            let leaving = list.present.filter {
                $0.identifier == member.identifier
                    || ($0.signingKey == member.signingKey && member.signingKey != deviceKeys.signingKey)
            }
            for leaver in leaving {
                let end = try await close(leaver.identifier, by: own)
                list.removals.append(
                    MemberList.Removal(
                        device: leaver.identifier, position: end.position, sequence: end.sequence, remover: own,
                        time: now()))
            }
            let next = old.with(phraseKey: phraseKey).renewed()
            list.version += 1
            list.epoch = next.epoch
            let name = StoreNames.epoch(next.epoch)
            let boxKeys = Set(list.present.map(\.boxKey)).sorted { $0.lexicographicallyPrecedes($1) }
            try await store.publish(
                name, try DriveEpoch.object(next, after: old, for: boxKeys, signer: own, deviceKeys))
            // The outcome is read back either way.
            let outcome = try await store.replace(StoreNames.members, try seal(list, signer: own, next), tag: tag)
            try await readMembers()
            if outcome == .refused, keys.epochKeys[next.epoch] == nil { try await store.delete(name) }
        }
        guard state.members.removal(of: member.identifier) != nil else {
            throw .unreachable("The list of members changes all the time.")
        }
    }

    private func phraseKey(_ phrase: RecoveryPhrase?) async throws(DriveError) -> [UInt8] {
        if let known = keys.phraseKey { return known }
        guard let phrase else {
            throw .invalid("The recovery phrase of the drive is needed once, so that it opens the new keys, too.")
        }
        // Only the right phrase opens the first keys.
        guard try await DriveSetup.recover(phrase, from: store).drive == keys.drive else {
            throw .invalid("The recovery phrase belongs to another drive.")
        }
        return phrase.publicKey
    }

    /// Closes a head, and reads the log up to its end. A device that writes at the same moment is first or is refused.
    ///
    /// - Returns: The end; what is known here, if the store has no right head of the device.
    private func close(
        _ device: DriveIdentifier, by closer: DriveIdentifier
    ) async throws(DriveError) -> (position: LogPosition, sequence: UInt64) {
        let key = StoreNames.head(device)
        for _ in 0..<Self.attempts {
            let known = (state.positions[device] ?? .start, state.seen[device]?.sequence ?? 0)
            guard let object = try await store.get(key), let head = try await readHead(object, of: device) else {
                return known
            }
            if closers[device] != nil { return (head.position, head.sequence) }
            let sealed = try closing(object.bytes, of: device, by: closer)
            if case .written = try await store.replace(key, sealed, tag: object.tag) {
                closers[device] = closer
                return (head.position, head.sequence)
            }
        }
        throw .unreachable("The head of the device \(describe(device)) changes all the time.")
    }
}
