import ExtensionManifest

/// A JSON value. It is written with sorted keys, and without raw characters that a terminal would interpret.
package enum JSONValue: Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// A string, or null.
    package init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }

    /// An integer, or null.
    package init(_ number: Int?) { self = number.map(JSONValue.integer) ?? .null }

    /// An array of strings.
    package init(_ texts: [String]) { self = .array(texts.map(JSONValue.string)) }

    /// The text on one line.
    package var compact: String {
        var text = ""
        write(to: &text, indentation: nil)
        return text
    }

    /// The text on several lines, indented by two spaces, with a final line feed.
    package var pretty: String {
        var text = ""
        write(to: &text, indentation: 0)
        return text + "\n"
    }

    private func write(to text: inout String, indentation: Int?) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += value.isFinite ? String(value) : "null"
        case .string(let value): Self.write(value, to: &text)
        case .array(let values):
            Self.write(values.map { (nil, $0) }, "[", "]", to: &text, indentation)
        case .object(let members):
            let sorted = members.sorted { $0.key < $1.key }
            Self.write(sorted.map { ($0.key, $0.value) }, "{", "}", to: &text, indentation)
        }
    }

    private static func write(
        _ members: [(String?, JSONValue)], _ opening: String, _ closing: String, to text: inout String,
        _ indentation: Int?
    ) {
        text += opening
        let inner = indentation.map { $0 + 2 }
        for (index, member) in members.enumerated() {
            if index > 0 { text += inner == nil ? ", " : "," }
            if let inner { text += "\n" + String(repeating: " ", count: inner) }
            if let key = member.0 {
                write(key, to: &text)
                text += ": "
            }
            member.1.write(to: &text, indentation: inner)
        }
        if let indentation, !members.isEmpty { text += "\n" + String(repeating: " ", count: indentation) }
        text += closing
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        if string.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        ) {
            text += string
            text += "\""
            return
        }
        DisplayText.visit(string) { scalar, isHidden in
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default:
                if isHidden {
                    for unit in String(scalar).utf16 {
                        let digits = String(unit, radix: 16)
                        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                    }
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        text += "\""
    }
}
