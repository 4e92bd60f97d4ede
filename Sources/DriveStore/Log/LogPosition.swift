/// How far a log goes: the number of its records, and the hash of the chain up to there.
package struct LogPosition: Hashable, Sendable {
    /// The number of records.
    package let count: Int
    /// The hash over all of them, each linked to those before it.
    package let chain: [UInt8]

    /// Before the first record.
    package static let start = LogPosition(count: 0, chain: [UInt8](repeating: 0, count: 32))

    init(count: Int, chain: [UInt8]) {
        self.count = count
        self.chain = chain
    }

    init(_ value: CBOR) throws(DriveError) {
        let parts = try value.asArray(count: 2)
        self.init(count: try parts[0].asCount(), chain: try parts[1].asBytes(count: 32))
    }

    var value: CBOR { .array([.unsigned(count), .bytes(chain)]) }

    /// After further records.
    func adding(_ records: some Sequence<[UInt8]>) -> LogPosition {
        var count = count
        var chain = chain
        for record in records {
            chain = Sodium.hash(chain + record)
            count += 1
        }
        return LogPosition(count: count, chain: chain)
    }
}
