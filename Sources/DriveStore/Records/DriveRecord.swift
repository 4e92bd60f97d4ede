/// One entry of a device's log.
package struct DriveRecord: Hashable, Sendable {
    /// Its identifier; the same record may be sent twice, under two stamps.
    package let identifier: DriveIdentifier
    package internal(set) var stamp: Stamp
    /// The device's clock in milliseconds since 1970, for people.
    package let time: Int64
    package let body: RecordBody

    /// The most bytes of a record's encoding.
    package static let maximumSize = 512 << 10

    package init(identifier: DriveIdentifier = .random(), stamp: Stamp, time: Int64, body: RecordBody) {
        self.identifier = identifier
        self.stamp = stamp
        self.time = time
        self.body = body
    }

    /// Reads the encoding.
    ///
    /// - Throws: ``DriveError/malformed(_:)``.
    package init(_ encoded: [UInt8]) throws(DriveError) {
        guard encoded.count <= Self.maximumSize else { throw .malformed("A record is too long.") }
        let map = try CBORDecoder.decode(encoded).asMap()
        self.init(
            identifier: try map.required(1).asIdentifier(), stamp: try Stamp(map.required(2)),
            time: try map.required(3).asInteger(),
            body: try RecordBody(kind: map.required(4).asUnsigned(), map.required(5).asMap()))
    }

    /// The only encoding.
    package var encoded: [UInt8] {
        CBOR.map([
            1: .identifier(identifier), 2: stamp.value, 3: .integer(time), 4: .unsigned(body.kind), 5: .map(body.map),
        ]).encoded
    }

    /// What tells one record from another: a place sent under two stamps counts twice, all else once.
    var key: RecordKey {
        if case .place = body { return RecordKey(identifier: identifier, stamp: stamp) }
        return RecordKey(identifier: identifier, stamp: nil)
    }
}

/// The key of a record in a set of records.
struct RecordKey: Hashable, Sendable {
    let identifier: DriveIdentifier
    let stamp: Stamp?
}
