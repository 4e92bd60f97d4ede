/// Detects characters that could deceive the reader of a manifest.
package enum DisplayText {
    /// Whether a scalar is invisible, moves the text or changes its direction: controls, zero-width characters,
    /// direction marks and overrides, line separators.
    package static func isDeceptive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether a text contains a character of `isDeceptive(_:)`.
    package static func isDeceptive(_ text: String) -> Bool {
        text.unicodeScalars.contains { isDeceptive($0) }
    }

    /// The text without the characters of `isDeceptive(_:)`.
    package static func removingDeceptive(from text: String) -> String {
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: text.unicodeScalars.filter { !isDeceptive($0) })
        return String(kept)
    }

    /// The text with deceptive characters written as `\u{…}`, cut after 120 characters.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(120) {
            if isDeceptive(scalar) || scalar == "\\" {
                result += scalar == "\\" ? "\\\\" : "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return text.unicodeScalars.count > 120 ? result + "…" : result
    }

    /// The escaped text between double quotes.
    package static func quoted(_ text: String) -> String {
        "\"\(escaped(text))\""
    }

    /// The bytes of a file name as text; bytes that are not UTF-8 become `\xHH`.
    package static func fileName(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return bytes.map { byte in
            (0x20..<0x7F).contains(byte)
                ? String(Unicode.Scalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// The candidate that differs from `text` in the fewest letters, or nil when none is close enough.
    package static func nearest(to text: String, among candidates: [String], within limit: Int) -> String? {
        guard text.utf8.count <= 200 else { return nil }
        let lowered = Array(text.lowercased().utf8)
        let measured = candidates.map { ($0, editDistance(lowered, Array($0.lowercased().utf8))) }
        guard let best = measured.min(by: { $0.1 < $1.1 }), best.1 <= limit else { return nil }
        return best.0
    }

    private static func editDistance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var row = Array(0...second.count)
        for (line, left) in first.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, right) in second.enumerated() {
                let above = row[column + 1]
                row[column + 1] = min(above + 1, row[column] + 1, diagonal + (left == right ? 0 : 1))
                diagonal = above
            }
        }
        return row[second.count]
    }
}
