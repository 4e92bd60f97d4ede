import FoundationEssentials

/// Encodes values as the text of a column.
package enum JSONText {
    /// The JSON text of a value, as the database stores it.
    package static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func decode(_ text: String) throws -> [String] {
        try JSONDecoder().decode([String].self, from: Data(text.utf8))
    }

    /// The value of an optional column; nil also if this version of Docent cannot read it.
    static func value<Value: Decodable>(of text: String?) -> Value? {
        text.flatMap { try? JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
    }
}
