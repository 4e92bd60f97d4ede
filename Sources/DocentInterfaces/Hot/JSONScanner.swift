/// A forward JSON reader for the few messages on the hot path. It reads ordinary JSON without Foundation. Anything that
/// it does not support gives nil, and the caller falls back to the ordinary decoder.
struct JSONScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    }

    /// Consumes a byte if it comes next.
    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    /// Reads a string.
    mutating func string() -> String? {
        guard take("\"") else { return nil }
        let start = position
        var union: UInt8 = 0
        while position < bytes.count, bytes[position] != 0x22, bytes[position] != 0x5C {
            union |= bytes[position]
            position += 1
        }
        guard position < bytes.count else { return nil }
        let plain = UnsafeBufferPointer(rebasing: bytes[start..<position])
        if bytes[position] == 0x22 {
            position += 1
            // Validation is many times slower, and ASCII needs none.
            return union < 0x80 ? String(decoding: plain, as: UTF8.self) : String(validating: plain, as: UTF8.self)
        }
        var decoded = Array(plain)
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case 0x22: return String(validating: decoded, as: UTF8.self)
            case 0x5C: guard escape(into: &decoded) else { return nil }
            default: decoded.append(byte)
            }
        }
        return nil
    }

    private mutating func escape(into decoded: inout [UInt8]) -> Bool {
        guard position < bytes.count else { return false }
        let byte = bytes[position]
        position += 1
        switch byte {
        case 0x22, 0x5C, 0x2F: decoded.append(byte)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "u"):
            // Surrogates are left to the ordinary decoder.
            guard let scalar = hexadecimal().flatMap(Unicode.Scalar.init) else { return false }
            decoded.append(contentsOf: String(scalar).utf8)
        default: return false
        }
        return true
    }

    private mutating func hexadecimal() -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        position += 4
        return value
    }

    /// Reads an integer.
    mutating func integer() -> Int? {
        skipSpace()
        let start = position
        while position < bytes.count, bytes[position] == 0x2D || (0x30...0x39).contains(bytes[position]) {
            position += 1
        }
        guard position < bytes.count, ![0x2E, 0x65, 0x45].contains(bytes[position]), isNumber(start) else { return nil }
        return Int(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    /// Reads a number.
    mutating func number() -> Double? {
        skipSpace()
        let start = position
        while position < bytes.count, Self.isNumeric(bytes[position]) { position += 1 }
        guard isNumber(start) else { return nil }
        // The ordinary decoder also rejects a number that a Double cannot hold.
        return Double(String(decoding: bytes[start..<position], as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Whether the bytes since `start` are a valid JSON number: Swift also accepts `+1`, `.5`, `5.` and `007`.
    private func isNumber(_ start: Int) -> Bool {
        var rest = bytes[start..<position]
        func digits() -> Int {
            let run = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(run.count)
            return run.count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        guard whole == 1 || whole > 1 && !startsWithZero else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() > 0 else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// Reads true or false.
    mutating func boolean() -> Bool? {
        if word("true") { return true }
        return word("false") ? false : nil
    }

    /// Consumes `null` if it comes next.
    mutating func null() -> Bool { word("null") }

    private mutating func word(_ word: StaticString) -> Bool {
        skipSpace()
        let count = word.utf8CodeUnitCount
        guard position + count <= bytes.count else { return false }
        for index in 0..<count where bytes[position + index] != word.utf8Start[index] { return false }
        position += count
        return true
    }

    /// Reads an object. `member` is called with each key and must read the value; if it returns false, reading stops.
    mutating func object(_ member: (String, inout JSONScanner) -> Bool) -> Bool {
        guard take("{") else { return false }
        if take("}") { return true }
        repeat {
            guard let key = string(), take(":"), member(key, &self) else { return false }
        } while take(",")
        return take("}")
    }

    /// Reads an array. `element` must read each value; if it returns false, reading stops.
    mutating func array(_ element: (inout JSONScanner) -> Bool) -> Bool {
        guard take("[") else { return false }
        if take("]") { return true }
        repeat { guard element(&self) else { return false } } while take(",")
        return take("]")
    }

    /// Reads an array. `element` must read each value; if it returns nil, reading stops.
    mutating func elements<Element>(_ element: (inout JSONScanner) -> Element?) -> [Element]? {
        var elements: [Element] = []
        let whole = array { scanner in
            guard let next = element(&scanner) else { return false }
            elements.append(next)
            return true
        }
        return whole ? elements : nil
    }

    /// Skips a value of any kind.
    mutating func skip() -> Bool {
        skipSpace()
        guard position < bytes.count else { return false }
        switch bytes[position] {
        case 0x22: return string() != nil
        case UInt8(ascii: "{"): return object { _, scanner in scanner.skip() }
        case UInt8(ascii: "["): return array { scanner in scanner.skip() }
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return boolean() != nil
        case UInt8(ascii: "n"): return null()
        default: return number() != nil
        }
    }
}

/// Writes JSON that ``JSONScanner`` reads.
enum JSONWriter {
    /// Appends a string with its quotes.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        let isPlain: Bool? = text.utf8.withContiguousStorageIfAvailable { buffer in
            guard !buffer.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else { return false }
            bytes.append(contentsOf: buffer)
            return true
        }
        guard isPlain != true else { return bytes.append(0x22) }
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C: bytes += [0x5C, byte]
            case 0x0A: bytes += [0x5C, UInt8(ascii: "n")]
            case 0..<0x20:
                bytes += Array("\\u00".utf8)
                bytes += Array((byte < 16 ? "0" : "").utf8) + Array(String(byte, radix: 16).utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }

    /// Appends `"name":`, after a comma unless it is the first member of its object.
    static func appendKey(_ name: StaticString, to bytes: inout [UInt8]) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(0x22)
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(0x22)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Appends a member with a string, if there is one.
    static func appendMember(_ name: StaticString, text: String?, to bytes: inout [UInt8]) {
        guard let text else { return }
        appendKey(name, to: &bytes)
        append(text, to: &bytes)
    }

    /// Appends a member with a boolean, if there is one.
    static func appendMember(_ name: StaticString, flag: Bool?, to bytes: inout [UInt8]) {
        guard let flag else { return }
        appendKey(name, to: &bytes)
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// Appends a member with an integer, if there is one.
    static func appendMember(_ name: StaticString, integer: Int?, to bytes: inout [UInt8]) {
        guard let integer else { return }
        appendKey(name, to: &bytes)
        bytes.append(contentsOf: String(integer).utf8)
    }

    /// Appends a member with a number, if there is one that JSON can represent.
    static func appendMember(_ name: StaticString, number: Double?, to bytes: inout [UInt8]) {
        guard let number, number.isFinite else { return }
        appendKey(name, to: &bytes)
        bytes.append(contentsOf: String(number).utf8)
    }

    /// Appends a member with an array, if there is one. `append` appends each element.
    static func appendMember<Element>(
        _ name: StaticString, elements: [Element]?, to bytes: inout [UInt8],
        _ append: (Element, inout [UInt8]) -> Void
    ) {
        guard let elements else { return }
        appendKey(name, to: &bytes)
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(element, &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }
}
