/// A word of a command line as it is typed, with a shell's backslashes and quotes. Pure.
enum ShellWord {
    /// The meaning of the word so far; a quotation may still be open.
    ///
    /// Nothing is expanded: `$HOME` stays as it is.
    static func plain(_ word: String) -> String {
        var text = String.UnicodeScalarView()
        var quote: Unicode.Scalar?
        var isEscaped = false
        for scalar in word.unicodeScalars {
            if isEscaped {
                isEscaped = false
                // Within double quotes, a backslash is kept before any other character.
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
