/// Reads JSON, locates every error, and refuses what other readers accept: duplicate keys, and text after the end.
struct JSONPropertyList {
    private typealias Failure = PropertyListReader.Failure

    private var scanner: PropertyListScanner

    static func read(_ bytes: [UInt8]) throws(PropertyListReader.Failure) -> PropertyListValue {
        var reader = JSONPropertyList(scanner: try PropertyListScanner(bytes))
        let value = try reader.value()
        reader.scanner.skipSpace()
        guard reader.scanner.next == nil else {
            throw reader.scanner.failure("text after the end of the object", "nothing more")
        }
        return value
    }

    private init(scanner: PropertyListScanner) {
        self.scanner = scanner
    }

    private mutating func value() throws(PropertyListReader.Failure) -> PropertyListValue {
        scanner.skipSpace()
        try scanner.count()
        switch scanner.next {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        default: break
        }
        if scanner.take("true") { return .boolean(true) }
        if scanner.take("false") { return .boolean(false) }
        if scanner.isAt("null") {
            throw scanner.failure("null", "a string, number, boolean, array or dictionary")
        }
        return try number()
    }

    private mutating func object() throws(PropertyListReader.Failure) -> PropertyListValue {
        scanner.position += 1
        var entries: [String: PropertyListValue] = [:]
        scanner.skipSpace()
        if scanner.take("}") { return .dictionary(entries) }
        while true {
            scanner.skipSpace()
            let place = scanner.position
            guard scanner.next == UInt8(ascii: "\"") else { throw unexpected("a key in quotation marks") }
            let key = try string()
            guard entries[key] == nil else { throw scanner.duplicate(key, at: place) }
            scanner.skipSpace()
            guard scanner.take(":") else { throw unexpected("a colon after the key") }
            scanner.enter(key)
            entries[key] = try value()
            scanner.leave()
            scanner.skipSpace()
            if scanner.take("}") { return .dictionary(entries) }
            guard scanner.take(",") else { throw unexpected("a comma or a closing brace") }
        }
    }

    private mutating func array() throws(PropertyListReader.Failure) -> PropertyListValue {
        scanner.position += 1
        var values: [PropertyListValue] = []
        scanner.skipSpace()
        if scanner.take("]") { return .array(values) }
        while true {
            scanner.enter(values.count)
            values.append(try value())
            scanner.leave()
            scanner.skipSpace()
            if scanner.take("]") { return .array(values) }
            guard scanner.take(",") else { throw unexpected("a comma or a closing bracket") }
        }
    }

    private mutating func string() throws(PropertyListReader.Failure) -> String {
        let start = scanner.position
        scanner.position += 1
        var content: [UInt8] = []
        while let byte = scanner.next {
            switch byte {
            case UInt8(ascii: "\""):
                scanner.position += 1
                return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"): content += try escaped().utf8
            case ..<0x20: throw unexpected("control characters as \\u escapes")
            default:
                content.append(byte)
                scanner.position += 1
            }
        }
        throw scanner.failure("a syntax error: a string without an end", "a closing quotation mark", at: start)
    }

    private mutating func escaped() throws(PropertyListReader.Failure) -> String {
        let start = scanner.position
        scanner.position += 1
        let byte = scanner.next
        scanner.position += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            var units: [UInt16] = [try unit(start)]
            if units[0] & 0xFC00 == 0xD800, scanner.take("\\u") { units.append(try unit(start)) }
            if let text = String(validating: units, as: UTF16.self) { return text }
        default: break
        }
        throw scanner.failure("a syntax error: an escape that means nothing", "an escape of JSON", at: start)
    }

    private mutating func unit(_ start: Int) throws(PropertyListReader.Failure) -> UInt16 {
        let end = scanner.position + 4
        guard end <= scanner.bytes.count, scanner.bytes[scanner.position..<end].allSatisfy(Self.isHexadecimal),
            let unit = UInt16(scanner.text(scanner.position..<end), radix: 16)
        else { throw scanner.failure("a syntax error: \\u without four digits", "an escape of JSON", at: start) }
        scanner.position = end
        return unit
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    private mutating func number() throws(PropertyListReader.Failure) -> PropertyListValue {
        let start = scanner.position
        _ = scanner.take("-")
        let isZero = scanner.take("0")
        guard isZero || digits() else {
            scanner.position = start
            throw unexpected("a string, number, boolean, array or dictionary")
        }
        if scanner.take("."), !digits() { throw unexpected("digits after the point") }
        if scanner.take("e") || scanner.take("E") {
            if !scanner.take("+") { _ = scanner.take("-") }
            guard digits() else { throw unexpected("digits of the exponent") }
        }
        let text = scanner.text(start..<scanner.position)
        if let number = Int64(text) { return .integer(number) }
        guard let number = Double(text), number.isFinite else {
            throw scanner.failure("a number out of range", "a number that a Double can hold", at: start)
        }
        return Int64(exactly: number).map { .integer($0) } ?? .real(number)
    }

    private mutating func digits() -> Bool {
        let start = scanner.position
        while let byte = scanner.next, (0x30...0x39).contains(byte) { scanner.position += 1 }
        return scanner.position > start
    }

    private func unexpected(_ expected: String) -> PropertyListReader.Failure {
        guard scanner.next != nil else { return scanner.failure("a syntax error: the end of the file", expected) }
        let scalar = String(decoding: scanner.bytes[scanner.position...].prefix(4), as: UTF8.self).unicodeScalars.first
        let shown = scalar.map { DisplayText.quoted(String($0)) } ?? "something else"
        return scanner.failure("a syntax error: \(shown)", expected)
    }
}
