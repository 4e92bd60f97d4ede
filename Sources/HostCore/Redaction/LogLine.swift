import ExtensionManifest

/// Texts of the log made fit for one line on a terminal: nothing in them ends the line, moves a cursor, passes for
/// another field or is endless. Pure.
enum LogLine {
    /// The most characters of one text; a cut is marked.
    static let longest = 2_000

    /// What happened, in the daemon's words.
    static func message(_ text: String) -> String {
        let (part, rest) = bounded(text)
        return DisplayText.replacingHidden(in: part, escape) + rest
    }

    /// What a field says: as it is if it is one plain word, else in quotation marks.
    static func value(_ text: String) -> String {
        if text.utf8.count <= longest, text.utf8.allSatisfy(isPlain) { return text }
        let (part, rest) = bounded(text)
        var quoted = "\""
        for scalar in DisplayText.replacingHidden(in: part, mark).unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            // What the mark stands for was a backslash of ours.
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

    // A hidden character itself, which therefore is in no text that was replaced.
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
