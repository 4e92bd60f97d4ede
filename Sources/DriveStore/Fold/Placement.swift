/// Where an item is.
package struct Placement: Hashable, Sendable {
    package let parent: DriveIdentifier
    package let name: String
    package let isFolder: Bool
    /// The stamp of the place record that holds.
    package let stamp: Stamp
    /// When that record was made, in milliseconds since 1970.
    package let time: Int64
    /// The greatest stamp of any place record of the item, even of one without effect: it decides whether the item was
    /// moved after it went into the trash.
    package var touched: Stamp

    init(parent: DriveIdentifier, name: String, isFolder: Bool, stamp: Stamp, time: Int64, touched: Stamp) {
        self.parent = parent
        self.name = name
        self.isFolder = isFolder
        self.stamp = stamp
        self.time = time
        self.touched = touched
    }

    init(_ value: CBOR) throws(DriveError) {
        let parts = try value.asArray(count: 6)
        self.init(
            parent: try parts[0].asIdentifier(), name: try parts[1].asText(), isFolder: try parts[2].asBool(),
            stamp: try Stamp(parts[3]), time: try parts[4].asInteger(), touched: try Stamp(parts[5]))
    }

    var value: CBOR {
        .array([.identifier(parent), .text(name), .bool(isFolder), stamp.value, .integer(time), touched.value])
    }
}
