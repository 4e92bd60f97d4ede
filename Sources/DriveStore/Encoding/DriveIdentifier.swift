/// 128 random bits: an item, a version, a record, a device, a pack, an epoch.
package struct DriveIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// The root folder: all bits zero.
    package static let root = DriveIdentifier(high: 0, low: 0)

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A new one, by the generator of libsodium.
    package static func random() -> DriveIdentifier {
        DriveIdentifier(bytes: Sodium.random(16)) ?? .root
    }

    /// Nil unless there are 16 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Nil unless there are 32 hexadecimal digits in lower case.
    package init?(hexadecimal text: some StringProtocol) {
        guard let bytes = Hexadecimal.bytes(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// The 16 bytes.
    package var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - $0 * 8)) } }
    }

    /// 32 hexadecimal digits in lower case.
    package var description: String { Hexadecimal.text(bytes) }

    package static func < (left: DriveIdentifier, right: DriveIdentifier) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
