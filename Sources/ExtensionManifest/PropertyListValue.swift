package import FoundationEssentials

/// One value of a property list, whatever the file format.
///
/// Dates and data exist only in XML and binary property lists. A JSON `null` has no counterpart and is refused.
package enum PropertyListValue: Sendable, Hashable {
    /// Text, as written; nothing is expanded or trimmed.
    case string(String)
    /// A whole number that fits in 64 bits.
    case integer(Int64)
    /// A number with a fraction or an exponent.
    case real(Double)
    /// A truth value.
    case boolean(Bool)
    /// A point in time.
    case date(Date)
    /// Raw bytes.
    case data(Data)
    /// Values in order.
    case array([PropertyListValue])
    /// Values by key.
    case dictionary([String: PropertyListValue])

    /// The text, or nil for another type of value.
    package var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The truth value, or nil for another type of value, including numbers and "YES".
    package var booleanValue: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The whole number, or nil for another type of value.
    package var integerValue: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The elements, or nil for another type of value.
    package var arrayValue: [PropertyListValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// The entries, or nil for another type of value.
    package var dictionaryValue: [String: PropertyListValue]? {
        if case .dictionary(let values) = self { values } else { nil }
    }

    /// The value of a key, or nil when this is not a dictionary or has no such key.
    package subscript(key: String) -> PropertyListValue? {
        dictionaryValue?[key]
    }

    /// The type in words, with an article: "a string".
    package var kindDescription: String {
        switch self {
        case .string: "a string"
        case .integer, .real: "a number"
        case .boolean: "a boolean"
        case .date: "a date"
        case .data: "data"
        case .array: "an array"
        case .dictionary: "a dictionary"
        }
    }

    /// The value in one short line, safe for a terminal: control and invisible characters are escaped.
    package var shortDescription: String {
        switch self {
        case .string(let text): DisplayText.quoted(text)
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .boolean(let value): String(value)
        case .date: "a date"
        case .data(let bytes): "data of \(bytes.count) bytes"
        case .array(let values): "an array of \(values.count)"
        case .dictionary(let values): "a dictionary of \(values.count)"
        }
    }
}
