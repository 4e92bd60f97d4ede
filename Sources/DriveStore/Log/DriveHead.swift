/// The head of a device's log: the only thing in the drive that changes, and the only point of truth about the device.
/// A record is part of the drive when a head has it, never before.
package struct DriveHead: Hashable, Sendable {
    /// An immutable part of the log.
    struct Segment: Hashable, Sendable {
        let name: String
        let first: Int
        let end: LogPosition
    }

    /// A checkpoint, or a list of unused packs, by name and digest.
    package struct CheckpointReference: Hashable, Sendable {
        package let identifier: DriveIdentifier
        let digest: [UInt8]

        init(identifier: DriveIdentifier, digest: [UInt8]) {
            self.identifier = identifier
            self.digest = digest
        }

        init(_ value: CBOR) throws(DriveError) {
            let parts = try value.asArray(count: 2)
            self.init(identifier: try parts[0].asIdentifier(), digest: try parts[1].asBytes(count: 32))
        }

        var value: CBOR { .array([.identifier(identifier), .bytes(digest)]) }
    }

    /// The most bytes of records that a head carries itself.
    static let maximumTail = 64 << 10

    let device: DriveIdentifier
    /// Counts the changes of the head.
    var sequence: UInt64 = 0
    /// How far the log goes.
    package var position = LogPosition.start
    var segments: [Segment] = []
    /// The encodings of the last records.
    var tail: [[UInt8]] = []
    /// Every later record of the device has a greater Lamport number.
    package var lamport: UInt64
    /// How far the device has read the others.
    var seen: [DriveIdentifier: LogPosition] = [:]
    /// The version of the list of members that it has read.
    var membersVersion: UInt64 = 0
    /// The device's newest checkpoint.
    package var checkpoint: CheckpointReference?
    /// Checkpoints of others that it found right.
    var confirmed: [CheckpointReference] = []
    /// The list of unused packs that the device is about to remove.
    var unused: CheckpointReference?
    /// The lists of others whose packs no later record of the device refers to.
    var acknowledged: [DriveIdentifier] = []

    init(device: DriveIdentifier, lamport: UInt64) {
        self.device = device
        self.lamport = lamport
    }

    init(_ encoded: [UInt8]) throws(DriveError) {
        let map = try CBORDecoder.decode(encoded).asMap()
        device = try map.required(1).asIdentifier()
        sequence = try map.required(2).asUnsigned()
        position = try LogPosition(map.required(3))
        for value in try map.required(4).asArray() {
            let parts = try value.asArray(count: 3)
            segments.append(
                Segment(name: try parts[0].asText(), first: try parts[1].asCount(), end: try LogPosition(parts[2])))
        }
        for value in try map.required(5).asArray() { tail.append(try value.asBytes()) }
        lamport = try map.required(6).asUnsigned()
        for value in try map.required(7).asArray() {
            let parts = try value.asArray(count: 2)
            seen[try parts[0].asIdentifier()] = try LogPosition(parts[1])
        }
        membersVersion = try map.required(8).asUnsigned()
        if let value = map.optional(9) { checkpoint = try CheckpointReference(value) }
        for value in try map.required(10).asArray() { confirmed.append(try CheckpointReference(value)) }
        if let value = map.optional(11) { unused = try CheckpointReference(value) }
        if let value = map.optional(12) { acknowledged = try CBOR.identifiers(value) }
        try validate()
    }

    private func validate() throws(DriveError) {
        var end = 0
        for segment in segments {
            guard segment.first == end, segment.end.count > segment.first else {
                throw .malformed("The segments of a head do not follow each other.")
            }
            end = segment.end.count
        }
        guard end + tail.count == position.count else { throw .malformed("A head does not count its records right.") }
        let before = segments.last?.end ?? .start
        guard before.adding(tail) == position else { throw .malformed("The chain of a head is broken.") }
    }

    var encoded: [UInt8] {
        var map: [UInt64: CBOR] = [
            1: .identifier(device), 2: .unsigned(sequence), 3: position.value,
            4: .array(segments.map { .array([.text($0.name), .unsigned($0.first), $0.end.value]) }),
            5: .array(tail.map { .bytes($0) }), 6: .unsigned(lamport),
            7: .array(
                seen.sorted { $0.key < $1.key }.map { .array([.identifier($0.key), $0.value.value]) }),
            8: .unsigned(membersVersion), 9: checkpoint?.value ?? .null, 10: .array(confirmed.map(\.value)),
        ]
        if let unused { map[11] = unused.value }
        if !acknowledged.isEmpty { map[12] = .array(acknowledged.map { .identifier($0) }) }
        return CBOR.map(map).encoded
    }
}
