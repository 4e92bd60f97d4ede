/// The devices of a drive. It only grows.
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

    /// Counts the changes.
    package var version: UInt64 = 0
    /// The devices, in the order in which they joined.
    package var members: [Member] = []

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
    }

    var encoded: [UInt8] {
        CBOR.map([
            1: .unsigned(version),
            2: .array(
                members.map { member in
                    .array([
                        .identifier(member.identifier), .text(member.name), .bytes(member.signingKey),
                        .bytes(member.boxKey), .integer(member.joined),
                    ])
                }),
        ]).encoded
    }

    /// A device by its identifier.
    package subscript(identifier: DriveIdentifier) -> Member? { members.first { $0.identifier == identifier } }
}
