import Glibc

/// Fits lines to a terminal, so that none looks like two.
package struct TerminalText: Equatable, Sendable {
    /// At least 20.
    package var columns = 80
    /// At least 1.
    package var rows = 24

    /// - Parameter terminal: the terminal to measure.
    package static func current(_ terminal: CInt) -> TerminalText {
        var size = winsize()
        guard ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TerminalText()
        }
        return TerminalText(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// A terminal of this size, or of the smallest size that is supported.
    package init(columns: Int = 80, rows: Int = 24) {
        // A narrower terminal cannot show a question anyway.
        self.columns = max(20, columns)
        self.rows = max(1, rows)
    }

    /// One line, with foreign text between two of Docent's own. The foreign text is made safe, and text that is too
    /// long is cut.
    package func line(_ before: String, _ words: String = "", _ after: String = "") -> String {
        let room = columns - 1 - Self.width(before) - Self.width(after)
        return Self.cut(before, columns - 1 - Self.width(after)) + Self.cut(Self.harmless(words, room), room) + after
    }

    /// The lines of Docent's own text, which may quote others. What does not fit continues on another line, indented by
    /// two.
    package func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            var result: [String] = []
            var current = ""
            var used = 0
            for scalar in Self.harmless(String(line), 1 << 14).unicodeScalars {
                let width = Self.width(scalar)
                if used + width > columns - 1 {
                    result.append(current)
                    (current, used) = ("  ", 2)
                }
                current.unicodeScalars.append(scalar)
                used += width
            }
            return result + [current]
        }
    }

    /// Without control characters, and without marks stacked on a letter until they cover the lines around it.
    private static func harmless(_ text: String, _ most: Int) -> String {
        var result = ""
        var marks = 0
        for scalar in text.unicodeScalars.prefix(max(0, most) + 1) {
            marks = [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory) ? marks + 1 : 0
            if marks > 2 {
                for byte in String(scalar).utf8 { result += "\\x" + SafeText.hexadecimal(byte) }
            } else {
                result += SafeText.escaped(String(scalar))
            }
        }
        return result
    }

    private static func cut(_ text: String, _ room: Int) -> String {
        guard width(text) > room else { return text }
        var result = ""
        var used = 0
        for scalar in text.unicodeScalars {
            used += width(scalar)
            if used > room - 2 { break }
            result.unicodeScalars.append(scalar)
        }
        return room > 1 ? result + "…" : result
    }

    /// The most columns that a text can take.
    package static func width(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + width($1) } }

    /// From Hangul on, a letter may be two columns wide.
    private static func width(_ scalar: Unicode.Scalar) -> Int { scalar.value < 0x1100 ? 1 : 2 }
}
