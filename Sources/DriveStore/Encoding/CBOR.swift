/// A value of the drive's encoding: the part of CBOR (RFC 8949) that `docs/drive-format.md` names, in its
/// deterministic form, so that a value has exactly one encoding.
package indirect enum CBOR: Hashable, Sendable {
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case array([CBOR])
    /// Keys are small numbers, encoded in ascending order.
    case map([UInt64: CBOR])
    case bool(Bool)
    case null

    /// The only encoding of the value.
    package var encoded: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    /// A number that is never negative. Values above `Int64.max` do not occur.
    package static func unsigned(_ value: some BinaryInteger) -> CBOR { .integer(Int64(clamping: value)) }

    /// The bytes of an identifier.
    package static func identifier(_ value: DriveIdentifier) -> CBOR { .bytes(value.bytes) }

    private func write(to output: inout [UInt8]) {
        switch self {
        case .integer(let value):
            if value >= 0 {
                Self.head(0, UInt64(value), &output)
            } else {
                Self.head(1, UInt64(-1 - value), &output)
            }
        case .bytes(let bytes):
            Self.head(2, UInt64(bytes.count), &output)
            output += bytes
        case .text(let text):
            let bytes = Array(text.utf8)
            Self.head(3, UInt64(bytes.count), &output)
            output += bytes
        case .array(let values):
            Self.head(4, UInt64(values.count), &output)
            for value in values { value.write(to: &output) }
        case .map(let values):
            Self.head(5, UInt64(values.count), &output)
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                Self.head(0, key, &output)
                value.write(to: &output)
            }
        case .bool(let value): output.append(value ? 0xF5 : 0xF4)
        case .null: output.append(0xF6)
        }
    }

    private static func head(_ major: UInt8, _ value: UInt64, _ output: inout [UInt8]) {
        let type = major << 5
        let width: Int
        switch value {
        case ..<24:
            output.append(type | UInt8(value))
            return
        case ...0xFF: (width, _) = (1, output.append(type | 24))
        case ...0xFFFF: (width, _) = (2, output.append(type | 25))
        case ...0xFFFF_FFFF: (width, _) = (4, output.append(type | 26))
        default: (width, _) = (8, output.append(type | 27))
        }
        for index in (0..<width).reversed() { output.append(UInt8(truncatingIfNeeded: value >> (UInt64(index) * 8))) }
    }
}
