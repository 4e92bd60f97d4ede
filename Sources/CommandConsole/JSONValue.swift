import ExtensionManifest

/// A JSON value. It is written with sorted keys, and without raw characters that a terminal would interpret.
package enum JSONValue: Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONMembers)

    /// A string, or null.
    package init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }

    /// An integer, or null.
    package init(_ number: Int?) { self = number.map(JSONValue.integer) ?? .null }

    /// An array of strings.
    package init(_ texts: [String]) { self = .array(texts.map(JSONValue.string)) }

    /// The text on one line.
    package var compact: String {
        var text: [UInt8] = []
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// The text on several lines, indented by two spaces, with a final line feed.
    package var pretty: String {
        var text: [UInt8] = []
        write(to: &text, indentation: 0)
        return String(decoding: text, as: UTF8.self) + "\n"
    }

    /// Appends the text on one line, in UTF-8.
    package func write(to text: inout [UInt8]) { write(to: &text, indentation: nil) }

    private func write(to text: inout [UInt8], indentation: Int?) {
        switch self {
        case .null: text.append("null")
        case .bool(let value): text.append(value ? "true" : "false")
        case .integer(let value): text.append(String(value))
        case .number(let value): text.append(value.isFinite ? String(value) : "null")
        case .string(let value): Self.write(value, to: &text)
        case .array(let values):
            Self.writeAll(values, "[", "]", to: &text, indentation) { value, text, inner in
                value.write(to: &text, indentation: inner)
            }
        case .object(let members):
            Self.writeAll(members.members, "{", "}", to: &text, indentation) { member, text, inner in
                Self.write(member.key, to: &text)
                text.append(": ")
                member.value.write(to: &text, indentation: inner)
            }
        }
    }

    private static func writeAll<Element>(
        _ elements: [Element], _ opening: String, _ closing: String, to text: inout [UInt8], _ indentation: Int?,
        _ write: (Element, inout [UInt8], Int?) -> Void
    ) {
        text.append(opening)
        let inner = indentation.map { $0 + 2 }
        var isFirst = true
        for element in elements {
            if !isFirst { text.append(inner == nil ? ", " : ",") }
            isFirst = false
            if let inner { text.append("\n" + String(repeating: " ", count: inner)) }
            write(element, &text, inner)
        }
        if let indentation, !elements.isEmpty { text.append("\n" + String(repeating: " ", count: indentation)) }
        text.append(closing)
    }

    private static func write(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        var plain = string
        let isPlain = plain.withUTF8 { bytes in
            for byte in bytes
            where byte < 0x20 || byte > 0x7E || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                return false
            }
            text.append(contentsOf: bytes)
            return true
        }
        if !isPlain {
            DisplayText.visit(string) { scalar, isHidden in text.append(escaped(scalar, isHidden)) }
        }
        text.append(UInt8(ascii: "\""))
    }

    private static func escaped(_ scalar: Unicode.Scalar, _ isHidden: Bool) -> String {
        switch scalar {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default:
            guard isHidden else { return String(scalar) }
            return String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
    }
}

extension [UInt8] {
    /// Appends a text in UTF-8.
    fileprivate mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }
}
