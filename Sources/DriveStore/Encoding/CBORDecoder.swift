/// Reads the drive's encoding strictly: whatever is not the one encoding of its value is refused.
package struct CBORDecoder {
    private static let maximumDepth = 16

    private let input: ArraySlice<UInt8>
    /// Where the next value begins.
    package private(set) var position: Int

    /// - Parameter input: The bytes that begin with a value.
    package init(_ input: some Sequence<UInt8>) {
        self.input = Array(input)[...]
        position = 0
    }

    /// Decodes bytes that are one value and nothing else.
    ///
    /// - Throws: ``DriveError/malformed(_:)``.
    package static func decode(_ input: some Sequence<UInt8>) throws(DriveError) -> CBOR {
        var decoder = CBORDecoder(input)
        let value = try decoder.next()
        guard decoder.position == decoder.input.count else { throw .malformed("Something follows the value.") }
        return value
    }

    /// Decodes the next value.
    ///
    /// - Throws: ``DriveError/malformed(_:)``.
    package mutating func next() throws(DriveError) -> CBOR { try value(depth: 0) }

    private mutating func value(depth: Int) throws(DriveError) -> CBOR {
        guard depth <= Self.maximumDepth else { throw .malformed("The value is nested too deeply.") }
        guard position < input.count else { throw .malformed("The value is cut off.") }
        switch input[position] {
        case 0xF4, 0xF5, 0xF6:
            defer { position += 1 }
            return input[position] == 0xF6 ? .null : .bool(input[position] == 0xF5)
        default: break
        }
        let (major, argument) = try head()
        switch major {
        case 0: return .integer(try signed(argument))
        case 1: return .integer(-1 - (try signed(argument)))
        case 2: return .bytes(Array(try take(argument)))
        case 3:
            let bytes = Array(try take(argument))
            guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed("A text is not UTF-8.") }
            return .text(text)
        case 4:
            // No space is reserved for a count that only claims to be true.
            guard argument <= UInt64(input.count - position) else { throw .malformed("The array is cut off.") }
            var values: [CBOR] = []
            for _ in 0..<argument { values.append(try value(depth: depth + 1)) }
            return .array(values)
        case 5:
            guard argument <= UInt64(input.count - position) else { throw .malformed("The map is cut off.") }
            var values: [UInt64: CBOR] = [:]
            var last: UInt64?
            for _ in 0..<argument {
                let (kind, key) = try head()
                guard kind == 0, last.map({ $0 < key }) ?? true else { throw .malformed("A map is out of order.") }
                last = key
                values[key] = try value(depth: depth + 1)
            }
            return .map(values)
        default: throw .malformed("The value has a type that does not occur.")
        }
    }

    private func signed(_ value: UInt64) throws(DriveError) -> Int64 {
        guard let number = Int64(exactly: value) else { throw .malformed("A number is too large.") }
        return number
    }

    private mutating func take(_ count: UInt64) throws(DriveError) -> ArraySlice<UInt8> {
        guard count <= UInt64(input.count - position) else { throw .malformed("A string is cut off.") }
        defer { position += Int(count) }
        return input[position..<position + Int(count)]
    }

    private mutating func head() throws(DriveError) -> (major: UInt8, argument: UInt64) {
        let first = try take(1).first ?? 0
        let short = first & 0x1F
        guard short >= 24 else { return (first >> 5, UInt64(short)) }
        guard short <= 27 else { throw .malformed("A length is not definite.") }
        let width = 1 << (Int(short) - 24)
        let value = try take(UInt64(width)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let least: UInt64 = width == 1 ? 24 : 1 << (UInt64(width) * 4)
        guard value >= least else { throw .malformed("A number is longer than necessary.") }
        return (first >> 5, value)
    }
}
