/// The place of a record in the one order of all records: a Lamport number, then the device. A device never uses a
/// number twice.
package struct Stamp: Hashable, Comparable, Sendable {
    /// At least the time in milliseconds since 1970 when the record was made, and more than any number seen before.
    package let lamport: UInt64
    package let device: DriveIdentifier

    package init(lamport: UInt64, device: DriveIdentifier) {
        self.lamport = lamport
        self.device = device
    }

    init(_ value: CBOR) throws(DriveError) {
        let parts = try value.asArray(count: 2)
        self.init(lamport: try parts[0].asUnsigned(), device: try parts[1].asIdentifier())
    }

    var value: CBOR { .array([.unsigned(lamport), .identifier(device)]) }

    package static func < (left: Stamp, right: Stamp) -> Bool {
        (left.lamport, left.device) < (right.lamport, right.device)
    }
}
