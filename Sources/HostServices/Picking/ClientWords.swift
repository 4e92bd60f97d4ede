import ExtensionManifest

/// Words of a client that are shown to the user who decides about it. Pure.
///
/// They are the client's own: nothing in them may look like ours, move a cursor, or drown what stands beside them.
package enum ClientWords {
    /// The words as they may be shown: one line, without control characters, direction marks and what nobody sees, at
    /// most `limit` characters; nil for nothing.
    package static func shown(_ words: String?, limit: Int = 200) -> String? {
        guard let words else { return nil }
        // A character may have any number of scalars: the bound is on both.
        let bounded = String(String.UnicodeScalarView(words.unicodeScalars.prefix(limit * 4)))
        let line = DisplayText.replacingHidden(in: bounded) { _ in " " }
            .split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        guard !line.isEmpty else { return nil }
        return line.count <= limit && words.unicodeScalars.count <= limit * 4 ? line : line.prefix(limit - 1) + "…"
    }

    /// Whether a name is shown as it is: what the user agrees to must be what is made.
    package static func isPlain(_ name: String) -> Bool { !DisplayText.hasHidden(name) }
}
