/// Words of a client that are shown to the user who decides about it. Pure.
///
/// They are the client's own: nothing in them may look like ours, move a cursor, or drown what stands beside them.
package enum ClientWords {
    /// The words as they may be shown: one line, without control characters and direction marks, at most `limit` characters; nil for
    /// nothing.
    package static func shown(_ words: String?, limit: Int = 200) -> String? {
        guard let words else { return nil }
        var result = String.UnicodeScalarView()
        // A character may have any number of scalars: the bound is on both.
        for scalar in words.unicodeScalars.prefix(limit * 4) { result.append(disturbs(scalar) ? " " : scalar) }
        let line = String(result).split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        guard !line.isEmpty else { return nil }
        return line.count <= limit && words.unicodeScalars.count <= limit * 4 ? line : line.prefix(limit - 1) + "…"
    }

    /// Whether a name is shown as it is: what the user agrees to must be what is made.
    package static func isPlain(_ name: String) -> Bool { !name.unicodeScalars.contains(where: disturbs) }

    private static func disturbs(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Tags and other marks that nobody sees.
        case 0x200B, 0x200E, 0x200F, 0x061C, 0x2060...0x2064, 0x202A...0x202E, 0x2066...0x206F, 0xFEFF,
            0xE0000...0xE007F:
            true
        default:
            [.control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned].contains(
                scalar.properties.generalCategory)
        }
    }
}
