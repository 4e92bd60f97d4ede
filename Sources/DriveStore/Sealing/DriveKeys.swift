/// The secrets that every device of a drive has.
package struct DriveKeys: Hashable, Sendable {
    /// The drive that they open.
    package let drive: DriveIdentifier
    /// The key that outlives epochs: identifiers of chunks, and where chunks end.
    package let driveKey: [UInt8]
    /// The epoch whose key seals what is written now.
    package let epoch: DriveIdentifier
    /// The keys of all epochs.
    package let epochKeys: [DriveIdentifier: [UInt8]]
    /// The recovery phrase's public key, which new epochs are sealed to; nil in a drive whose keys were made before
    /// they contained it.
    package let phraseKey: [UInt8]?

    /// The keys of a new drive.
    package static func new(phraseKey: [UInt8]? = nil) -> DriveKeys {
        let epoch = DriveIdentifier.random()
        return DriveKeys(
            drive: .random(), driveKey: Sodium.random(32), epoch: epoch,
            epochKeys: [epoch: Sodium.random(32)], phraseKey: phraseKey)
    }

    private init(
        drive: DriveIdentifier, driveKey: [UInt8], epoch: DriveIdentifier, epochKeys: [DriveIdentifier: [UInt8]],
        phraseKey: [UInt8]?
    ) {
        self.drive = drive
        self.driveKey = driveKey
        self.epoch = epoch
        self.epochKeys = epochKeys
        self.phraseKey = phraseKey
    }

    /// Reads the encoding.
    ///
    /// - Throws: ``DriveError/malformed(_:)``.
    package init(_ value: CBOR) throws(DriveError) {
        let map = try value.asMap()
        var keys: [DriveIdentifier: [UInt8]] = [:]
        for entry in try map.required(4).asArray() {
            let parts = try entry.asArray(count: 2)
            keys[try parts[0].asIdentifier()] = try parts[1].asBytes(count: 32)
        }
        var phraseKey: [UInt8]?
        if let value = map.optional(5) { phraseKey = try value.asBytes(count: 32) }
        self.init(
            drive: try map.required(1).asIdentifier(), driveKey: try map.required(2).asBytes(count: 32),
            epoch: try map.required(3).asIdentifier(), epochKeys: keys, phraseKey: phraseKey)
        guard keys[epoch] != nil else { throw .malformed("The keys lack the one of their epoch.") }
    }

    /// What the keyring and an invitation carry.
    package var value: CBOR {
        var map: [UInt64: CBOR] = [
            1: .identifier(drive), 2: .bytes(driveKey), 3: .identifier(epoch),
            4: .array(
                epochKeys.sorted { $0.key < $1.key }.map { .array([.identifier($0.key), .bytes($0.value)]) }),
        ]
        if let phraseKey { map[5] = .bytes(phraseKey) }
        return .map(map)
    }

    /// The same keys, with the recovery phrase's public key.
    func with(phraseKey: [UInt8]) -> DriveKeys {
        DriveKeys(drive: drive, driveKey: driveKey, epoch: epoch, epochKeys: epochKeys, phraseKey: phraseKey)
    }

    /// These keys and that of a new epoch, which seals from now on.
    func renewed() -> DriveKeys {
        let next = DriveIdentifier.random()
        var all = epochKeys
        all[next] = Sodium.random(32)
        return DriveKeys(drive: drive, driveKey: driveKey, epoch: next, epochKeys: all, phraseKey: phraseKey)
    }

    /// Whether other keys are these and those of later epochs.
    func isContinued(by other: DriveKeys) -> Bool {
        other.drive == drive && other.driveKey == driveKey && (phraseKey == nil || other.phraseKey == phraseKey)
            && epochKeys.allSatisfy { other.epochKeys[$0.key] == $0.value }
    }

    /// The key that objects of a kind are sealed with in an epoch.
    func key(_ kind: ObjectKind, epoch: DriveIdentifier) throws(DriveError) -> [UInt8] {
        guard let key = epochKeys[epoch] else { throw .tampered("An object names an epoch that nobody has announced.") }
        return Sodium.derive(key, kind.rawValue, context: "DocDrive")
    }

    /// The key of chunk identifiers.
    package var chunkKey: [UInt8] { Sodium.derive(driveKey, 1, context: "DocDrvKy") }
    /// The seed of the chunker's table.
    package var chunkerSeed: [UInt8] { Sodium.derive(driveKey, 2, context: "DocDrvKy") }
}
