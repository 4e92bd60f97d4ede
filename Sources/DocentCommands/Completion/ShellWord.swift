/// A word of a command line as it is typed, with a shell's backslashes and quotes. Pure.
enum ShellWord {
    /// What the word means, as far as it is typed; a quotation may still be open.
    ///
    /// Nothing is expanded: `$HOME` stays what it is.
    static func plain(_ word: String) -> String {
        var text = String.UnicodeScalarView()
        var quote: Unicode.Scalar?
        var isEscaped = false
        for scalar in word.unicodeScalars {
            if isEscaped {
                isEscaped = false
                // Between double quotes a backslash stays before all else.
                if quote == "\"", !"\"\\$`".unicodeScalars.contains(scalar) { text.append("\\") }
                text.append(scalar)
            } else if scalar == "\\", quote != "'" {
                isEscaped = true
            } else if scalar == quote {
                quote = nil
            } else if quote == nil, scalar == "'" || scalar == "\"" {
                quote = scalar
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}
