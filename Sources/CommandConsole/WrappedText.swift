/// Wraps text to a width, between words if possible. Pure.
enum WrappedText {
    /// The lines; one empty line for an empty text.
    static func lines(_ text: String, width: Int) -> [String] {
        guard DisplayWidth.of(text) > width else { return [text] }
        var lines: [String] = []
        var line: [Character] = []
        var used = 0
        for character in text {
            let columns = DisplayWidth.of(String(character))
            if used + columns > width, !line.isEmpty {
                // At the last space, unless the line would be less than half full.
                let space = line.lastIndex(of: " ").flatMap { $0 > line.count / 2 ? $0 : nil }
                lines.append(String(line[..<(space ?? line.count)]))
                line = space.map { Array(line[($0 + 1)...]) } ?? []
                used = DisplayWidth.of(String(line))
            }
            line.append(character)
            used += columns
        }
        return lines + [String(line)]
    }
}
