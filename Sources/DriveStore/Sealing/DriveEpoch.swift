/// The keys of an epoch that began after the first one, for every device that was in the drive then and for the
/// recovery phrase. It is sealed with the epoch before it, so that whoever was removed earlier opens nothing of it.
struct DriveEpoch {
    private static let mostSteps = 1000

    /// The epoch before it.
    let previous: DriveIdentifier
    /// The keys, once for each device, each sealed to a device's key.
    let boxes: [[UInt8]]
    /// The keys, sealed to the recovery phrase.
    let phraseBox: [UInt8]

    /// One step from keys that are known to later ones.
    struct Step {
        let epoch: DriveIdentifier
        /// The sealed keys that were opened.
        let box: [UInt8]
        /// Checks the signature of the device that began the epoch.
        let signature: SignedPayload
    }

    /// Makes the object that announces new keys.
    ///
    /// - Parameters:
    ///   - keys: The new keys, which contain the phrase's public key.
    ///   - old: The keys that are replaced.
    ///   - boxKeys: The keys of the devices that get them.
    static func object(
        _ keys: DriveKeys, after old: DriveKeys, for boxKeys: [[UInt8]], signer: DriveIdentifier, _ signing: DeviceKeys
    ) throws(DriveError) -> [UInt8] {
        let body = keys.value.encoded
        guard let phraseKey = keys.phraseKey, let phraseBox = Sodium.seal(body, to: phraseKey) else {
            throw .invalid("The keys lack the recovery phrase's public key.")
        }
        var boxes: [[UInt8]] = []
        for boxKey in boxKeys {
            guard let box = Sodium.seal(body, to: boxKey) else { throw .malformed("A device's key is not one.") }
            boxes.append(box)
        }
        let payload = CBOR.map([
            1: .identifier(keys.epoch), 2: .identifier(old.epoch), 3: .array(boxes.map { .bytes($0) }),
            4: .bytes(phraseBox),
        ]).encoded
        let name = StoreNames.epoch(keys.epoch).name
        let signed = SignedPayload(payload, kind: .epoch, name: name, signer: signer, keys: signing)
        return try SealedObject.seal(signed.encoded, kind: .epoch, name: name, keys: old)
    }

    /// Reads the body of an announcement.
    ///
    /// - Throws: ``DriveError/malformed(_:)``.
    init(_ body: [UInt8], of epoch: DriveIdentifier) throws(DriveError) {
        let map = try CBORDecoder.decode(body).asMap()
        guard try map.required(1).asIdentifier() == epoch else { throw .tampered("Another epoch stands in its place.") }
        previous = try map.required(2).asIdentifier()
        var boxes: [[UInt8]] = []
        for value in try map.required(3).asArray() { boxes.append(try value.asBytes()) }
        self.boxes = boxes
        phraseBox = try map.required(4).asBytes()
    }

    /// Goes from keys to those of a later epoch, from one announcement to the next.
    ///
    /// - Parameter open: Opens the keys in an announcement, and says which of its boxes it was; nil if none of them is
    ///   meant for the caller.
    /// - Throws: ``DriveError/removed(_:)`` if an epoch is not for the caller.
    static func follow(
        _ keys: DriveKeys, to epoch: DriveIdentifier, in store: any ObjectStore,
        open: (DriveEpoch) -> (keys: [UInt8], box: [UInt8])?
    ) async throws(DriveError) -> (keys: DriveKeys, steps: [Step]) {
        var objects: [(epoch: DriveIdentifier, bytes: [UInt8])] = []
        var next = epoch
        while next != keys.epoch {
            let name = StoreNames.epoch(next).name
            guard keys.epochKeys[next] == nil, objects.count < mostSteps else {
                throw .forked("The drive's keys do not continue those that this device has.")
            }
            guard let object = try await store.get(StoreNames.epoch(next)) else {
                throw .missing("\(name) is not in the store.")
            }
            guard let previous = SealedObject.epoch(of: object.bytes) else {
                throw .malformed("\(name) is not sealed.")
            }
            objects.append((next, object.bytes))
            next = previous
        }
        var current = keys
        var steps: [Step] = []
        for (epoch, bytes) in objects.reversed() {
            let name = StoreNames.epoch(epoch).name
            let signed = try SignedPayload(SealedObject.open(bytes, kind: .epoch, name: name, keys: current))
            let body = try DriveEpoch(signed.body, of: epoch)
            guard body.previous == current.epoch else { throw .tampered("\(name) follows another epoch.") }
            guard let opened = open(body) else {
                throw .removed(
                    "The keys of the drive were changed, and this machine did not get the new ones: it was removed, or "
                        + "came in at that moment. Another machine can let it in again with `docent drive invite`.")
            }
            let later = try DriveKeys(CBORDecoder.decode(opened.keys))
            guard later.epoch == epoch, current.isContinued(by: later) else {
                throw .tampered("\(name) does not continue the keys before it.")
            }
            current = later
            steps.append(Step(epoch: epoch, box: opened.box, signature: signed))
        }
        return (current, steps)
    }
}
