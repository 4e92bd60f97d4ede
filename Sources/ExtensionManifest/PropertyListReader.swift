import FoundationEssentials

/// Reads a property list from XML, binary or JSON bytes, told apart by their content.
///
/// The bytes come from anywhere: size, depth and number of values are bounded before memory or stack can suffer.
package enum PropertyListReader {
    /// Why bytes were refused.
    package struct Failure: Error, Hashable {
        /// Where in the document, or empty for the document as a whole.
        package let key: String
        /// What was met.
        package let found: String
        /// What is acceptable.
        package let expected: String
    }

    /// The file format.
    package enum Format: String, Sendable, CaseIterable {
        /// XML property list.
        case xml = "XML property list"
        /// Binary property list, version 00.
        case binary = "binary property list"
        /// JSON object.
        case json = "JSON"
    }

    /// The largest file that is read, in bytes.
    package static let maximumSize = 1 << 20
    /// The deepest nesting of arrays and dictionaries.
    package static let maximumDepth = 32
    /// The largest number of values in one document.
    package static let maximumCount = 20_000

    /// The format that the first bytes announce, or nil.
    package static func format(of bytes: [UInt8]) -> Format? {
        if bytes.starts(with: Array("bplist".utf8)) { return .binary }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        switch text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
        case UInt8(ascii: "<"): return .xml
        case UInt8(ascii: "{"): return .json
        default: return nil
        }
    }

    /// Reads the document.
    ///
    /// - Parameter bytes: the whole file.
    /// - Returns: the top value; a manifest needs a dictionary, which is the caller's check.
    package static func read(_ bytes: [UInt8]) throws(Failure) -> PropertyListValue {
        guard bytes.count <= maximumSize else {
            throw Failure(key: "", found: "\(bytes.count) bytes", expected: "at most \(maximumSize) bytes")
        }
        guard let format = format(of: bytes) else {
            throw Failure(
                key: "", found: bytes.isEmpty ? "an empty file" : "something else",
                expected: "an XML property list, a binary property list or a JSON object")
        }
        switch format {
        case .binary:
            return try BinaryPropertyList.read(bytes)
        case .xml:
            try MarkupNesting.check(bytes)
            return try decode(bytes, format)
        case .json:
            guard String(validating: bytes, as: UTF8.self) != nil else {
                throw Failure(key: "", found: "bytes that are not UTF-8", expected: "UTF-8 text")
            }
            let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            try checkBrackets(bytes)
            return try decode(Array(bytes[start...]), format)
        }
    }

    /// Refuses deep JSON before the decoder sees it, which would call it a syntax error.
    private static func checkBrackets(_ bytes: [UInt8]) throws(Failure) {
        var depth = 0
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if isInString {
                if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            // The innermost container is a level of its own only when something is in it.
            guard depth <= maximumDepth + 1 else { throw tooDeep }
        }
    }

    private static func decode(_ bytes: [UInt8], _ format: Format) throws(Failure) -> PropertyListValue {
        let budget = DecodingBudget(format: format)
        guard let key = DecodingBudget.key else { throw tooMany }
        do {
            if format == .json {
                let decoder = JSONDecoder()
                decoder.userInfo[key] = budget
                return try decoder.decode(DecodedValue.self, from: Data(bytes)).value
            }
            let decoder = PropertyListDecoder()
            decoder.userInfo[key] = budget
            return try decoder.decode(DecodedValue.self, from: Data(bytes)).value
        } catch let failure as Failure {
            throw failure
        } catch DecodingError.dataCorrupted(let context) {
            let detail = context.underlyingError.map { String(describing: $0) } ?? context.debugDescription
            throw Failure(
                key: keyPath(context.codingPath), found: "a syntax error: \(DisplayText.escaped(detail))",
                expected: "a well-formed \(format.rawValue)")
        } catch {
            throw Failure(
                key: "", found: "a value that cannot be read: \(DisplayText.escaped(String(describing: error)))",
                expected: "a well-formed \(format.rawValue)")
        }
    }

    fileprivate static func keyPath(_ path: [any CodingKey]) -> String {
        path.reduce(into: "") { result, key in
            if let index = key.intValue {
                result += "[\(index)]"
            } else {
                result += (result.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}

/// Counts the values of one document while it is decoded; used by one thread, during one call.
private final class DecodingBudget: @unchecked Sendable {
    // Unchecked: the decoder hands it around as Sendable but calls back on the caller's thread only.
    static let key = CodingUserInfoKey(rawValue: "org.docent.decoding-budget")
    let format: PropertyListReader.Format
    var remaining = PropertyListReader.maximumCount

    init(format: PropertyListReader.Format) {
        self.format = format
    }
}

private struct DecodedValue: Decodable {
    let value: PropertyListValue

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let path = decoder.codingPath
        guard let key = DecodingBudget.key, let budget = decoder.userInfo[key] as? DecodingBudget else {
            throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "no budget"))
        }
        guard path.count <= PropertyListReader.maximumDepth else { throw PropertyListReader.tooDeep }
        budget.remaining -= 1
        guard budget.remaining >= 0 else { throw PropertyListReader.tooMany }

        let single = try decoder.singleValueContainer()
        if let text = try? single.decode(String.self) {
            value = .string(text)
        } else if let flag = try? single.decode(Bool.self) {
            value = .boolean(flag)
        } else if let number = try? single.decode(Int64.self) {
            value = .integer(number)
        } else if let number = try? single.decode(Double.self) {
            value = .real(number)
        } else if budget.format == .xml, let date = try? single.decode(Date.self) {
            value = .date(date)
        } else if budget.format == .xml, let data = try? single.decode(Data.self) {
            value = .data(data)
        } else if let container = try? decoder.container(keyedBy: Key.self) {
            var entries: [String: PropertyListValue] = [:]
            for key in container.allKeys {
                entries[key.stringValue] = try container.decode(DecodedValue.self, forKey: key).value
            }
            value = .dictionary(entries)
        } else if var container = try? decoder.unkeyedContainer() {
            var values: [PropertyListValue] = []
            while !container.isAtEnd {
                values.append(try container.decode(DecodedValue.self).value)
            }
            value = .array(values)
        } else {
            throw PropertyListReader.Failure(
                key: PropertyListReader.keyPath(path), found: "null or a number out of range",
                expected: "a string, number, boolean, array or dictionary")
        }
    }
}

extension PropertyListReader {
    /// The refusal of a document that is nested too deeply.
    static let tooDeep = Failure(
        key: "", found: "values nested more than \(maximumDepth) deep", expected: "at most \(maximumDepth) levels")
    /// The refusal of a document with too many values.
    static let tooMany = Failure(
        key: "", found: "more than \(maximumCount) values", expected: "at most \(maximumCount) values")
}
