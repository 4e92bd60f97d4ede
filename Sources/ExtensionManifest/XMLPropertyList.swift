import FoundationEssentials

/// Reads XML property lists, locates every error, and refuses what other readers accept: duplicate keys, text between
/// elements and after the end, custom entities and other encodings.
struct XMLPropertyList {
    private typealias Failure = PropertyListReader.Failure

    /// The opening tag of an element.
    private struct Tag {
        let name: String
        /// Whether it is an empty element: `<dict/>`.
        let isEmpty: Bool
        let place: Int
    }

    private var scanner: PropertyListScanner

    static func read(_ bytes: [UInt8]) throws(PropertyListReader.Failure) -> PropertyListValue {
        var reader = XMLPropertyList(scanner: try PropertyListScanner(bytes))
        return try reader.document()
    }

    private init(scanner: PropertyListScanner) {
        self.scanner = scanner
    }

    private mutating func document() throws(PropertyListReader.Failure) -> PropertyListValue {
        var tag = try opening(in: nil)
        let isWrapped = tag.name == "plist"
        let outer = tag
        if isWrapped {
            guard !tag.isEmpty, let inner = try element(in: tag) else {
                throw scanner.failure("a property list without a value", "a value in <plist>", at: tag.place)
            }
            tag = inner
        }
        let value = try value(tag)
        if isWrapped, let second = try element(in: outer) {
            throw scanner.failure(
                "<\(DisplayText.escaped(second.name))> after the value", "one value in <plist>", at: second.place)
        }
        try skipMarkup()
        guard scanner.next == nil else {
            throw scanner.failure("text after the end of the property list", "nothing more")
        }
        return value
    }

    // MARK: Values

    private mutating func value(_ tag: Tag) throws(PropertyListReader.Failure) -> PropertyListValue {
        try scanner.count(at: tag.place)
        switch tag.name {
        case "dict": return try dictionary(tag)
        case "array": return try array(tag)
        case "string": return .string(try text(tag))
        case "true", "false":
            guard try text(tag).isEmpty else { throw malformed(tag, "nothing in <\(tag.name)/>") }
            return .boolean(tag.name == "true")
        case "integer": return try integer(tag)
        case "real":
            guard let number = Double(try trimmed(tag)) else { throw malformed(tag, "a number") }
            return .real(number)
        case "date":
            guard let date = Self.date(try trimmed(tag)) else {
                throw malformed(tag, "a date such as 2014-06-02T10:00:00Z")
            }
            return .date(date)
        case "data":
            let encoded = try text(tag).utf8.filter { !PropertyListScanner.isSpace($0) }
            guard let data = Data(base64Encoded: Data(encoded)) else { throw malformed(tag, "base64") }
            return .data(data)
        default:
            throw scanner.failure(
                "the element <\(DisplayText.escaped(tag.name))>", "an element of property lists, such as <string>",
                at: tag.place)
        }
    }

    private mutating func dictionary(_ tag: Tag) throws(PropertyListReader.Failure) -> PropertyListValue {
        var entries: [String: PropertyListValue] = [:]
        if tag.isEmpty { return .dictionary(entries) }
        while let keyTag = try element(in: tag) {
            guard keyTag.name == "key" else {
                throw scanner.failure(
                    "<\(DisplayText.escaped(keyTag.name))> without a key", "<key> before each value", at: keyTag.place)
            }
            let key = try text(keyTag)
            guard entries[key] == nil else { throw scanner.duplicate(key, at: keyTag.place) }
            scanner.enter(key)
            guard let valueTag = try element(in: tag) else {
                throw scanner.failure("a key without a value", "a value after the key", at: keyTag.place)
            }
            entries[key] = try value(valueTag)
            scanner.leave()
        }
        return .dictionary(entries)
    }

    private mutating func array(_ tag: Tag) throws(PropertyListReader.Failure) -> PropertyListValue {
        var values: [PropertyListValue] = []
        if tag.isEmpty { return .array(values) }
        while let element = try element(in: tag) {
            scanner.enter(values.count)
            values.append(try value(element))
            scanner.leave()
        }
        return .array(values)
    }

    private mutating func integer(_ tag: Tag) throws(PropertyListReader.Failure) -> PropertyListValue {
        let written = try trimmed(tag)
        let isNegative = written.hasPrefix("-")
        let digits = isNegative || written.hasPrefix("+") ? String(written.dropFirst()) : written
        let isHexadecimal = digits.lowercased().hasPrefix("0x")
        let plain = isHexadecimal ? String(digits.dropFirst(2)) : digits
        guard plain.utf8.first.map({ ![0x2B, 0x2D].contains($0) }) == true,
            let size = UInt64(plain, radix: isHexadecimal ? 16 : 10)
        else { throw malformed(tag, "a whole number of at most 64 bits") }
        let text = (isNegative ? "-" : "") + String(size)
        return Int64(text).map { .integer($0) } ?? .real(isNegative ? -Double(size) : Double(size))
    }

    private static func date(_ text: String) -> Date? {
        let shape = Array("dddd-dd-ddTdd:dd:ddZ".utf8)
        let bytes = Array(text.utf8)
        guard bytes.count == shape.count,
            zip(bytes, shape).allSatisfy({ $1 == UInt8(ascii: "d") ? (0x30...0x39).contains($0) : $0 == $1 })
        else { return nil }
        let numbers = bytes.split { !(0x30...0x39).contains($0) }.map { $0.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        guard (1...12).contains(numbers[1]), (1...31).contains(numbers[2]), numbers[3] < 24, numbers[4] < 60,
            numbers[5] < 61
        else { return nil }
        // Days of the civil calendar, counted from March so that the leap day comes last.
        let year = numbers[1] > 2 ? numbers[0] : numbers[0] - 1
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((numbers[1] + 9) % 12) + 2) / 5 + numbers[2] - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        let seconds = days * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5]
        return Date(timeIntervalSince1970: Double(seconds))
    }

    private func malformed(_ tag: Tag, _ expected: String) -> PropertyListReader.Failure {
        scanner.failure("<\(tag.name)> with another content", expected, at: tag.place)
    }

    // MARK: Markup

    /// The next child element, or nil at the end tag of the outer one, which is consumed.
    private mutating func element(in outer: Tag) throws(PropertyListReader.Failure) -> Tag? {
        try skipMarkup()
        guard scanner.isAt("</") else { return try opening(in: outer) }
        try closing(outer)
        return nil
    }

    private mutating func opening(in outer: Tag?) throws(PropertyListReader.Failure) -> Tag {
        try skipMarkup()
        let place = scanner.position
        guard scanner.next != nil else {
            guard let outer else { throw scanner.failure("no element", "a property list") }
            throw neverClosed(outer)
        }
        guard scanner.take("<") else { throw scanner.failure("text between elements", "an element") }
        guard !scanner.isAt("/") else { throw scanner.failure("a closing tag that closes nothing", "matching tags") }
        let name = name()
        while let byte = scanner.next, byte != UInt8(ascii: ">"), !scanner.isAt("/>") {
            scanner.position += 1
            guard [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(byte) else { continue }
            while let inner = scanner.next, inner != byte { scanner.position += 1 }
            scanner.position += 1
        }
        let isEmpty = scanner.take("/")
        guard scanner.take(">"), !name.isEmpty else {
            throw scanner.failure("markup that is never closed", "a well-formed XML property list", at: place)
        }
        return Tag(name: name, isEmpty: isEmpty, place: place)
    }

    private mutating func closing(_ tag: Tag) throws(PropertyListReader.Failure) {
        let place = scanner.position
        scanner.position += 2
        let name = name()
        scanner.skipSpace()
        guard scanner.take(">") else {
            throw scanner.failure("markup that is never closed", "a well-formed XML property list", at: place)
        }
        guard name == tag.name else {
            throw scanner.failure(
                "a closing tag that closes nothing, </\(DisplayText.escaped(name))>", "</\(tag.name)>", at: place)
        }
    }

    private mutating func name() -> String {
        let start = scanner.position
        while let byte = scanner.next, byte > 0x20, ![UInt8(ascii: "/"), UInt8(ascii: ">")].contains(byte) {
            scanner.position += 1
        }
        return scanner.text(start..<scanner.position)
    }

    /// Skips white space, comments, processing instructions and the document type.
    private mutating func skipMarkup() throws(PropertyListReader.Failure) {
        while true {
            scanner.skipSpace()
            let start = scanner.position
            if scanner.take("<!--") {
                try skip(past: "-->", from: start)
            } else if scanner.take("<?") {
                try skip(past: "?>", from: start)
                try checkEncoding(start)
            } else if scanner.isAt("<!"), !scanner.isAt("<![") {
                try skip(past: ">", from: start)
                guard !scanner.bytes[start..<scanner.position].contains(UInt8(ascii: "[")) else {
                    throw scanner.failure(
                        "a document type with declarations of its own", "Apple's document type, or none", at: start)
                }
            } else {
                return
            }
        }
    }

    private func checkEncoding(_ start: Int) throws(PropertyListReader.Failure) {
        let text = scanner.text(start..<scanner.position).lowercased()
        guard !text.contains("encoding") || text.contains("utf-8") || text.contains("us-ascii") else {
            throw scanner.failure("another encoding", "UTF-8 text", at: start)
        }
    }

    private mutating func skip(past mark: StaticString, from start: Int) throws(PropertyListReader.Failure) {
        while scanner.next != nil {
            if scanner.take(mark) { return }
            scanner.position += 1
        }
        throw scanner.failure("markup that is never closed", "a well-formed XML property list", at: start)
    }

    private func neverClosed(_ tag: Tag) -> PropertyListReader.Failure {
        scanner.failure(
            "an element that is never closed, <\(DisplayText.escaped(tag.name))>", "matching tags", at: tag.place)
    }

    // MARK: Text

    private mutating func trimmed(_ tag: Tag) throws(PropertyListReader.Failure) -> String {
        var bytes = Array(try text(tag).utf8)[...]
        while let first = bytes.first, PropertyListScanner.isSpace(first) { bytes.removeFirst() }
        while let last = bytes.last, PropertyListScanner.isSpace(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text up to the closing tag, which is consumed.
    private mutating func text(_ tag: Tag) throws(PropertyListReader.Failure) -> String {
        if tag.isEmpty { return "" }
        var content: [UInt8] = []
        while let byte = scanner.next {
            let start = scanner.position
            if scanner.take("<![CDATA[") {
                let begin = scanner.position
                try skip(past: "]]>", from: start)
                content += scanner.bytes[begin..<(scanner.position - 3)]
            } else if scanner.take("<!--") {
                try skip(past: "-->", from: start)
            } else if scanner.isAt("</") {
                try closing(tag)
                return String(decoding: content, as: UTF8.self)
            } else if byte == UInt8(ascii: "<") {
                throw scanner.failure("an element in <\(tag.name)>", "text and </\(tag.name)>")
            } else if byte == UInt8(ascii: "&") {
                content += try reference().utf8
            } else {
                content.append(byte)
                scanner.position += 1
            }
        }
        throw neverClosed(tag)
    }

    private mutating func reference() throws(PropertyListReader.Failure) -> String {
        let start = scanner.position
        scanner.position += 1
        while let byte = scanner.next, byte != UInt8(ascii: ";"), scanner.position - start < 12 {
            scanner.position += 1
        }
        let name = scanner.text((start + 1)..<scanner.position)
        guard scanner.take(";"), let text = Self.meaning(ofReference: name) else {
            throw scanner.failure(
                "a reference that means nothing here, &\(DisplayText.escaped(name))", "&amp; for an ampersand",
                at: start)
        }
        return text
    }

    private static func meaning(ofReference name: String) -> String? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        let isHexadecimal = name.hasPrefix("#x")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        guard name.hasPrefix("#"), digits.allSatisfy(\.isHexDigit),
            let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
            number != 0
        else { return nil }
        return Unicode.Scalar(number).map { String(Character($0)) }
    }
}
