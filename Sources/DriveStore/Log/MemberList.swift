/// The devices of a drive, and which of them were removed. Both only grow.
package struct MemberList: Hashable, Sendable {
    /// One device.
    package struct Member: Hashable, Sendable {
        package let identifier: DriveIdentifier
        /// Its name for people.
        package let name: String
        /// The key of its signatures.
        package let signingKey: [UInt8]
        /// The key that others seal to it with.
        package let boxKey: [UInt8]
        /// When it joined, by its own clock in milliseconds since 1970.
        package let joined: Int64
    }

    /// The end of a device.
    package struct Removal: Hashable, Sendable {
        package let device: DriveIdentifier
        /// Its records up to here are part of the drive; any later ones are not.
        package let position: LogPosition
        /// The sequence of its last head.
        let sequence: UInt64
        /// The device that removed it.
        package let remover: DriveIdentifier
        /// When, by the remover's clock in milliseconds since 1970.
        package let time: Int64
    }

    /// Counts the changes.
    package var version: UInt64 = 0
    /// The devices, in the order in which they joined.
    package var members: [Member] = []
    /// The devices that were removed, in that order.
    package var removals: [Removal] = []
    /// The epoch whose key seals this list; nil before the first removal.
    var epoch: DriveIdentifier?

    init() {}

    init(_ encoded: [UInt8]) throws(DriveError) {
        let map = try CBORDecoder.decode(encoded).asMap()
        version = try map.required(1).asUnsigned()
        for value in try map.required(2).asArray() {
            let parts = try value.asArray(count: 5)
            members.append(
                Member(
                    identifier: try parts[0].asIdentifier(), name: try parts[1].asText(),
                    signingKey: try parts[2].asBytes(count: 32), boxKey: try parts[3].asBytes(count: 32),
                    joined: try parts[4].asInteger()))
        }
        guard Set(members.map(\.identifier)).count == members.count else {
            throw .malformed("The list of members names a device twice.")
        }
        if let value = map.optional(3) {
            for entry in try value.asArray() {
                let parts = try entry.asArray(count: 5)
                removals.append(
                    Removal(
                        device: try parts[0].asIdentifier(), position: try LogPosition(parts[1]),
                        sequence: try parts[2].asUnsigned(), remover: try parts[3].asIdentifier(),
                        time: try parts[4].asInteger()))
            }
            epoch = try map.required(4).asIdentifier()
        }
        guard Set(removals.map(\.device)).count == removals.count,
            removals.allSatisfy({ self[$0.device] != nil })
        else { throw .malformed("The list of members removes a device that is not there.") }
    }

    var encoded: [UInt8] {
        var map: [UInt64: CBOR] = [
            1: .unsigned(version),
            2: .array(
                members.map { member in
                    .array([
                        .identifier(member.identifier), .text(member.name), .bytes(member.signingKey),
                        .bytes(member.boxKey), .integer(member.joined),
                    ])
                }),
        ]
        if let epoch {
            map[3] = .array(
                removals.map { removal in
                    .array([
                        .identifier(removal.device), removal.position.value, .unsigned(removal.sequence),
                        .identifier(removal.remover), .integer(removal.time),
                    ])
                })
            map[4] = .identifier(epoch)
        }
        return CBOR.map(map).encoded
    }

    /// A device by its identifier.
    package subscript(identifier: DriveIdentifier) -> Member? { members.first { $0.identifier == identifier } }

    /// How a device ended; nil if it was not removed.
    package func removal(of device: DriveIdentifier) -> Removal? { removals.first { $0.device == device } }

    /// The devices that were not removed.
    package var present: [Member] { members.filter { removal(of: $0.identifier) == nil } }

    /// Whether this list is the other one, or what may become of it.
    func continues(_ older: MemberList) -> Bool {
        guard version > older.version else { return self == older }
        return members.starts(with: older.members) && removals.starts(with: older.removals)
    }
}
