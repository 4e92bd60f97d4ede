extension CBOR {
    /// The value as a map.
    func asMap() throws(DriveError) -> [UInt64: CBOR] {
        guard case .map(let map) = self else { throw .malformed("There is no map.") }
        return map
    }

    /// The value as an array.
    func asArray(count: Int? = nil) throws(DriveError) -> [CBOR] {
        guard case .array(let array) = self, count == nil || array.count == count else {
            throw .malformed("There is no array of the right length.")
        }
        return array
    }

    /// The value as bytes.
    func asBytes(count: Int? = nil) throws(DriveError) -> [UInt8] {
        guard case .bytes(let bytes) = self, count == nil || bytes.count == count else {
            throw .malformed("There are no bytes of the right length.")
        }
        return bytes
    }

    /// The value as a text.
    func asText() throws(DriveError) -> String {
        guard case .text(let text) = self else { throw .malformed("There is no text.") }
        return text
    }

    /// The value as a number that may be negative.
    func asInteger() throws(DriveError) -> Int64 {
        guard case .integer(let number) = self else { throw .malformed("There is no number.") }
        return number
    }

    /// The value as a number that is not negative.
    func asUnsigned() throws(DriveError) -> UInt64 {
        guard case .integer(let number) = self, number >= 0 else { throw .malformed("There is no positive number.") }
        return UInt64(number)
    }

    /// The value as a count of bytes or entries.
    func asCount() throws(DriveError) -> Int { Int(try asUnsigned()) }

    /// The value as an identifier.
    func asIdentifier() throws(DriveError) -> DriveIdentifier {
        guard let value = DriveIdentifier(bytes: try asBytes(count: 16)) else { throw .malformed("No identifier.") }
        return value
    }

    /// The value as yes or no.
    func asBool() throws(DriveError) -> Bool {
        guard case .bool(let value) = self else { throw .malformed("There is neither true nor false.") }
        return value
    }
}

extension [UInt64: CBOR] {
    /// The value of a key that must be there.
    func required(_ key: UInt64) throws(DriveError) -> CBOR {
        guard let value = self[key], value != .null else { throw .malformed("The field \(key) is missing.") }
        return value
    }

    /// The value of a key that may be absent.
    func optional(_ key: UInt64) -> CBOR? {
        guard let value = self[key], value != .null else { return nil }
        return value
    }
}
