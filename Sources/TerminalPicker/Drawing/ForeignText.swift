import CommandConsole

/// Text from providers, programs and servers, made fit for one line of a picker. Pure.
package enum ForeignText {
    /// The most marks on one letter that are shown.
    private static let mostMarks = 2
    /// More scalars than this fit no line.
    private static let longest = 1024

    /// One line without characters that are hidden, move the cursor or change the direction of the text, and without
    /// marks stacked on a letter until they cover the lines around it.
    package static func harmless(_ text: String) -> String {
        if text.utf8.count <= longest, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var result = ""
        var marks = 0
        for scalar in text.unicodeScalars.prefix(longest) {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: marks += 1
            default: marks = 0
            }
            // A mark at the beginning would sit on what is to its left, which may be Docent's own text.
            if marks > mostMarks || marks > 0 && result.isEmpty {
                for byte in String(scalar).utf8 { result += escape(byte) }
            } else {
                result += SafeText.escaped(String(scalar))
            }
        }
        return result
    }

    /// At most so many columns; a text that was cut ends with an ellipsis.
    static func cut(_ text: String, to columns: Int) -> String {
        guard columns > 0 else { return "" }
        guard DisplayWidth.of(text) > columns else { return text }
        var result = ""
        var used = 0
        for character in text {
            let width = DisplayWidth.of(String(character))
            if used + width > columns - 1 { break }
            result.append(character)
            used += width
        }
        return result + "…"
    }

    /// The end of a text, for paths and typed lines: what was left out at the beginning is an ellipsis.
    static func cutBeginning(_ text: String, to columns: Int) -> String {
        guard columns > 0 else { return "" }
        guard DisplayWidth.of(text) > columns else { return text }
        var kept: [Character] = []
        var used = 0
        for character in text.reversed() {
            let width = DisplayWidth.of(String(character))
            if used + width > columns - 1 { break }
            kept.append(character)
            used += width
        }
        return "…" + String(kept.reversed())
    }

    /// Lines of at most so many columns, broken between words where there is one.
    static func wrapped(_ text: String, to columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: true) {
            var rest = String(word)
            let width = DisplayWidth.of(rest)
            if used > 0, used + 1 + width > columns {
                lines.append(line)
                (line, used) = ("", 0)
            }
            while DisplayWidth.of(rest) > columns {
                let head = prefix(rest, columns)
                guard !head.isEmpty else { break }
                lines.append(head)
                rest = String(rest.dropFirst(head.count))
            }
            line += (used > 0 ? " " : "") + rest
            used = DisplayWidth.of(line)
        }
        return lines + (line.isEmpty && !lines.isEmpty ? [] : [line])
    }

    private static func prefix(_ text: String, _ columns: Int) -> String {
        var result = ""
        var used = 0
        for character in text {
            used += DisplayWidth.of(String(character))
            if used > columns { break }
            result.append(character)
        }
        return result
    }

    private static func escape(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return "\\x" + (digits.count == 1 ? "0" : "") + digits
    }
}
