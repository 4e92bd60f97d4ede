import ExtensionManifest

/// Makes texts fit for one log line on a terminal: they cannot end the line, move the cursor, pass for another field or
/// be endless. Pure.
enum LogLine {
    /// The most characters of one text; a cut is marked.
    static let longest = 2_000

    /// The message, in the daemon's words.
    static func message(_ text: String) -> String {
        let (part, rest) = bounded(text)
        return DisplayText.replacingHidden(in: part, escape) + rest
    }

    /// The value of a field: as it is if it is one plain word, otherwise in quotation marks.
    static func value(_ text: String) -> String {
        if text.utf8.count <= longest, text.utf8.allSatisfy(isPlain) { return text }
        let (part, rest) = bounded(text)
        var quoted = "\""
        for scalar in DisplayText.replacingHidden(in: part, mark).unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            // The mark stands for a backslash that the escaping added.
            case escapeMark: quoted += "\\"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\"" + rest
    }

    private static func bounded(_ text: String) -> (String, rest: String) {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: longest, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return (text, "") }
        return (String(scalars[..<end]), "… (cut, \(text.utf8.count) bytes)")
    }

    // This is itself a hidden character, so no escaped text contains it.
    private static let escapeMark: Unicode.Scalar = "\u{1B}"

    private static func mark(_ scalar: Unicode.Scalar) -> String {
        String(escapeMark) + escape(scalar).dropFirst()
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21..<0x7F).contains(byte)
            && ![UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "="), UInt8(ascii: "[")].contains(byte)
    }
}
