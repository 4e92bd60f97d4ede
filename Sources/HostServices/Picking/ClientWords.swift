import ExtensionManifest

/// Text from a client that is shown to the user who decides about its request. Pure.
///
/// The client chooses the text, so it must not look like ours, move the cursor, or push other text out of sight.
package enum ClientWords {
    /// The text in a form that is safe to show: one line without control characters, direction marks and invisible
    /// characters, at most `limit` characters; nil if nothing is left.
    package static func shown(_ words: String?, limit: Int = 200) -> String? {
        guard let words else { return nil }
        // A character may consist of any number of scalars, so both are limited.
        let bounded = String(String.UnicodeScalarView(words.unicodeScalars.prefix(limit * 4)))
        let line = DisplayText.replacingHidden(in: bounded) { _ in " " }
            .split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        guard !line.isEmpty else { return nil }
        return line.count <= limit && words.unicodeScalars.count <= limit * 4 ? line : line.prefix(limit - 1) + "…"
    }

    /// Whether a name is shown unchanged. The user must see exactly the name that is used.
    package static func isPlain(_ name: String) -> Bool { !DisplayText.hasHidden(name) }
}
