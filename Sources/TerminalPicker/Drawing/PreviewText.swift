/// The beginning of a document as lines. Pure.
enum PreviewText {
    /// The lines of UTF-8 text, which may be cut in the middle of a letter; nil for anything else.
    static func lines(of bytes: [UInt8], most: Int) -> [String]? {
        guard !bytes.contains(0) else { return nil }
        var kept = bytes[...]
        var text = String(validating: kept, as: UTF8.self)
        // At most three bytes of a letter that was cut.
        for _ in 0..<3 where text == nil && !kept.isEmpty {
            kept = kept.dropLast()
            text = String(validating: kept, as: UTF8.self)
        }
        guard let text else { return nil }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).prefix(most).map {
            String($0).replacing("\t", with: "    ")
        }
    }
}
