extension DriveDevice {
    // What every device does when another one is about to remove packs.

    /// Takes in the list of packs that a device announces in its head: from then on, no new record here refers to one
    /// of them. A list that is no longer announced is over. That of a device that was removed stays: whether it was
    /// carried out is unknown.
    func takeList(of head: DriveHead) async throws(DriveError) {
        let device = head.device
        guard let reference = head.unused else {
            if state.lists[device] != nil, state.members.removal(of: device) == nil {
                try commit([.unlisted(device)])
            }
            return
        }
        guard state.lists[device]?.reference != reference, !state.ended.contains(reference.identifier) else { return }
        let key = StoreNames.unused(reference.identifier)
        guard let object = try await store.get(key) else { throw .missing("\(key.name) is not in the store.") }
        let signed = try SignedPayload(SealedObject.open(object.bytes, kind: .unused, name: key.name, keys: keys))
        guard signed.signer == device, let member = state.members[device] else {
            throw .tampered("Another device has signed \(key.name).")
        }
        try signed.verify(kind: .unused, name: key.name, signingKey: member.signingKey)
        guard Sodium.hash(signed.body) == reference.digest else { throw .tampered("\(key.name) is another list.") }
        let packs = try Self.packs(signed.body)
        try commit([
            .listed(device, DeviceState.UnusedList(reference: reference, packs: packs, lamport: state.lamport))
        ])
    }

    /// The packs in the body of a list.
    static func packs(_ body: [UInt8]) throws(DriveError) -> Set<DriveIdentifier> {
        Set(try CBOR.identifiers(CBORDecoder.decode(body)))
    }

    /// Whether another device waits for this one's acknowledgement.
    var owesAcknowledgement: Bool {
        guard let own = state.own, let device = state.device else { return false }
        return state.lists.contains { lister, list in
            lister != device && isPresent(lister) && !own.head.acknowledged.contains(list.reference.identifier)
        }
    }

    /// Puts the own list, and the acknowledgements, into a head.
    ///
    /// - Parameter left: The records of the journal that come after it.
    func noteLists(_ head: inout DriveHead, left: ArraySlice<DriveRecord>) {
        // The announcement stays until the record is out that says what became of it.
        let isEnding = left.contains { if case .gone = $0.body { true } else { false } }
        if !isEnding { head.unused = state.lists[head.device]?.reference }
        // Records from before this device knew of a list may refer to its packs: they go out first.
        head.acknowledged = state.lists.filter { lister, list in
            lister != head.device && left.allSatisfy { $0.stamp.lamport > list.lamport }
        }.map(\.value.reference.identifier).sorted()
    }
}

extension RecordBody {
    /// The packs that a record says are in the store.
    var packs: Set<DriveIdentifier> {
        switch self {
        case .placed(let pack, _, _): [pack]
        case .arrived(_, let packs): Set(packs)
        case .place, .content, .trash, .purge, .device, .gone: []
        }
    }
}
