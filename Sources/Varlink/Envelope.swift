import Glibc

/// The members of a message's outer object. `parameters` is a range within the message.
struct Envelope {
    var method: String?
    var error: String?
    var parameters: Range<Int>?
    var isOneway = false
    var wantsMore = false
    var wantsUpgrade = false
    var continues = false
}

/// Finds the members of a message's outer object in one pass, with the keys in any order, without building a tree.
///
/// The outer object is checked completely. Of the members only strings, brackets and depth are checked; their decoder
/// checks the rest.
struct EnvelopeScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let depthLimit: Int
    private var position = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = min(depthLimit, UInt64.bitWidth)
    }

    /// Scans a message without its closing NUL. Throws `malformed` or `tooDeep`.
    static func scan(_ bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int) throws(VarlinkError) -> Envelope {
        if bytes.contains(where: { $0 >= 0x80 }), String(validating: bytes, as: UTF8.self) == nil {
            throw malformed
        }
        var scanner = EnvelopeScanner(bytes, depthLimit: depthLimit)
        return try scanner.envelope()
    }

    private static var malformed: VarlinkError {
        VarlinkError(.malformed, "The peer sent something that is not a message.")
    }

    private mutating func envelope() throws(VarlinkError) -> Envelope {
        var envelope = Envelope()
        var seen: Set<String> = []
        try expect("{")
        if try peek() == UInt8(ascii: "}") {
            position += 1
        } else {
            while true {
                let key = try string()
                try expect(":")
                if ["method", "error", "parameters", "oneway", "more", "upgrade", "continues"].contains(key),
                    !seen.insert(key).inserted
                {
                    throw Self.malformed
                }
                switch key {
                case "method": envelope.method = try optionalString()
                case "error": envelope.error = try optionalString()
                case "parameters": envelope.parameters = try optionalObject()
                case "oneway": envelope.isOneway = try flag()
                case "more": envelope.wantsMore = try flag()
                case "upgrade": envelope.wantsUpgrade = try flag()
                case "continues": envelope.continues = try flag()
                default: try skipValue()
                }
                let next = try peek()
                position += 1
                if next == UInt8(ascii: "}") { break }
                guard next == UInt8(ascii: ",") else { throw Self.malformed }
            }
        }
        skipSpace()
        guard position == bytes.count else { throw Self.malformed }
        return envelope
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
            position += 1
        }
    }

    /// The next byte that is not white space.
    private mutating func peek() throws(VarlinkError) -> UInt8 {
        skipSpace()
        guard position < bytes.count else { throw Self.malformed }
        return bytes[position]
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(VarlinkError) {
        guard try peek() == UInt8(ascii: character) else { throw Self.malformed }
        position += 1
    }

    private mutating func string() throws(VarlinkError) -> String {
        guard try peek() == UInt8(ascii: "\"") else { throw Self.malformed }
        let start = position
        let isEscaped = try skipString()
        guard isEscaped else {
            return String(decoding: bytes[start + 1..<position - 1], as: UTF8.self)
        }
        guard let text = JSONCoding.decodeString(bytes[start..<position]) else { throw Self.malformed }
        return text
    }

    /// Skips a string; returns true if it has escapes.
    private mutating func skipString() throws(VarlinkError) -> Bool {
        var isEscaped = false
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return isEscaped
            case UInt8(ascii: "\\"):
                isEscaped = true
                position += 2
            case 0..<0x20: throw Self.malformed
            default: position += 1
            }
        }
        throw Self.malformed
    }

    private mutating func optionalString() throws(VarlinkError) -> String? {
        if try peek() == UInt8(ascii: "\"") { return try string() }
        guard try word() == "null" else { throw Self.malformed }
        return nil
    }

    private mutating func optionalObject() throws(VarlinkError) -> Range<Int>? {
        if try peek() == UInt8(ascii: "{") {
            let start = position
            try skipValue()
            return start..<position
        }
        guard try word() == "null" else { throw Self.malformed }
        return nil
    }

    private mutating func flag() throws(VarlinkError) -> Bool {
        switch try word() {
        case "true": return true
        case "false", "null": return false
        default: throw Self.malformed
        }
    }

    /// A run of characters that can occur in numbers, `true`, `false` and `null`.
    private mutating func word() throws(VarlinkError) -> String {
        _ = try peek()
        let start = position
        while position < bytes.count, Self.isWordCharacter(bytes[position]) {
            position += 1
        }
        guard position > start else { throw Self.malformed }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isWordCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Skips a value of any kind. Brackets must match and stay within the depth limit, where the outer object counts as
    /// one level.
    private mutating func skipValue() throws(VarlinkError) {
        var depth = 1
        var isObject: UInt64 = 1
        let start = position
        repeat {
            let byte = try peek()
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard depth < depthLimit else {
                    throw VarlinkError(.tooDeep, "The peer sent a message that is nested too deeply.")
                }
                depth += 1
                isObject = isObject << 1 | (byte == UInt8(ascii: "{") ? 1 : 0)
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 1, isObject & 1 == (byte == UInt8(ascii: "}") ? 1 : 0) else { throw Self.malformed }
                depth -= 1
                isObject >>= 1
                position += 1
            case UInt8(ascii: "\""): _ = try skipString()
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard depth > 1 else { throw Self.malformed }
                position += 1
            default:
                guard Self.isWordCharacter(byte) else { throw Self.malformed }
                while position < bytes.count, Self.isWordCharacter(bytes[position]) {
                    position += 1
                }
            }
        } while depth > 1
        guard position > start else { throw Self.malformed }
    }
}
