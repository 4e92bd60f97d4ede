import ExtensionManifest

/// Text from elsewhere, made harmless for a terminal.
package enum SafeText {
    /// The text with every byte of a character that hides, moves the cursor, breaks the line or turns its direction round written
    /// `\xHH`, as it can be written in a LOCATION too.
    package static func escaped(_ text: String) -> String {
        DisplayText.replacingHidden(in: text) { scalar in
            String(scalar).utf8.map { "\\x" + hexadecimal($0) }.joined()
        }
    }

    /// The same, keeping line feeds.
    package static func escapedLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
            .joined(separator: "\n")
    }

    /// Two digits.
    static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
