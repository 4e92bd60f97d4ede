/// Everything that was known at some positions of all logs, so that a new device need not read them from their
/// beginning.
package struct Checkpoint: Sendable {
    /// A record with its place in a log.
    struct Entry: Hashable, Sendable {
        let origin: RecordOrigin
        let record: DriveRecord
    }

    /// The Lamport number up to which place records are part of the base.
    var floor: UInt64 = 0
    var lamport: UInt64 = 0
    var base: [DriveIdentifier: Placement] = [:]
    var positions: [DriveIdentifier: LogPosition] = [:]
    /// All other records.
    var entries: [Entry] = []

    private static let partSize = 4 << 20

    init() {}

    /// The parts, each the encoding of a list: items of the base first, then records.
    var parts: [[UInt8]] {
        let devices = positions.keys.sorted()
        let numbers = Dictionary(uniqueKeysWithValues: devices.enumerated().map { ($1, $0) })
        let items = base.sorted { $0.key < $1.key }.map { CBOR.array([.identifier($0.key), $0.value.value]) }
        let records = entries.sorted { $0.origin < $1.origin }.map { entry in
            CBOR.array([
                .unsigned(numbers[entry.origin.device] ?? 0), .unsigned(entry.origin.index),
                .bytes(entry.record.encoded),
            ])
        }
        var parts: [[UInt8]] = []
        var current: [CBOR] = []
        var size = 0
        for value in items + records {
            let count = value.encoded.count
            if size + count > Self.partSize, !current.isEmpty {
                parts.append(CBOR.array(current).encoded)
                current = []
                size = 0
            }
            current.append(value)
            size += count
        }
        parts.append(CBOR.array(current).encoded)
        return parts
    }

    /// What names the parts and says the rest.
    func index(of parts: [[UInt8]]) -> [UInt8] {
        CBOR.map([
            1: .unsigned(floor), 2: .unsigned(lamport),
            3: .array(positions.sorted { $0.key < $1.key }.map { .array([.identifier($0.key), $0.value.value]) }),
            4: .array(parts.map { .bytes(Sodium.hash($0)) }),
        ]).encoded
    }

    /// The hashes of the parts that an index names.
    static func partHashes(_ index: [UInt8]) throws(DriveError) -> [[UInt8]] {
        var hashes: [[UInt8]] = []
        for value in try CBORDecoder.decode(index).asMap().required(4).asArray() {
            hashes.append(try value.asBytes(count: 32))
        }
        return hashes
    }

    init(index: [UInt8], parts: [[UInt8]]) throws(DriveError) {
        let map = try CBORDecoder.decode(index).asMap()
        floor = try map.required(1).asUnsigned()
        lamport = try map.required(2).asUnsigned()
        var devices: [DriveIdentifier] = []
        for value in try map.required(3).asArray() {
            let pair = try value.asArray(count: 2)
            let device = try pair[0].asIdentifier()
            devices.append(device)
            positions[device] = try LogPosition(pair[1])
        }
        for part in parts {
            for value in try CBORDecoder.decode(part).asArray() {
                let fields = try value.asArray()
                switch fields.count {
                case 2: base[try fields[0].asIdentifier()] = try Placement(fields[1])
                case 3:
                    let number = try fields[0].asCount()
                    guard number < devices.count else { throw .malformed("A checkpoint names no such device.") }
                    let origin = RecordOrigin(device: devices[number], index: try fields[1].asCount())
                    guard origin.index < positions[devices[number]]?.count ?? 0 else {
                        throw .malformed("A checkpoint has a record beyond its position.")
                    }
                    entries.append(Entry(origin: origin, record: try DriveRecord(fields[2].asBytes())))
                default: throw .malformed("A checkpoint has an entry of unknown kind.")
                }
            }
        }
    }
}

/// Where a record stands: in which log, and as which one.
struct RecordOrigin: Hashable, Comparable, Sendable {
    let device: DriveIdentifier
    let index: Int

    static func < (left: RecordOrigin, right: RecordOrigin) -> Bool {
        (left.device, left.index) < (right.device, right.index)
    }
}
