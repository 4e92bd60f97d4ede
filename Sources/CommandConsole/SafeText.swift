import ExtensionManifest

/// Makes text from elsewhere safe for a terminal.
package enum SafeText {
    /// The text with some characters written as `\xHH` for each byte: those that are hidden, move the cursor, break the
    /// line or reverse its direction. A LOCATION accepts the same form.
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

    /// Two digits, in capitals.
    static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
