/// The forms of one secret in a text: as it is, escaped as programs do it, and in base64. Holds its bytes while it is
/// in use; pure.
struct SecretPattern {
    /// Anything shorter, in bytes, is an ordinary word: it is searched for only where a value is given.
    static let shortLength = 4

    private let secret: [UInt8]
    /// `user:secret`, as in HTTP; empty without a user name.
    private let pair: [UInt8]

    init(_ secret: [UInt8], username: String?) {
        self.secret = secret
        pair = username.map { Array($0.utf8) + [UInt8(ascii: ":")] + secret } ?? []
    }

    /// The ranges of the secret in a text.
    func ranges(in text: [UInt8]) -> [Range<Int>] {
        guard !secret.isEmpty, secret.count <= text.count else { return [] }
        guard secret.count >= Self.shortLength else { return shortRanges(in: text) }
        var found = EscapedSearch.ranges(of: secret, in: text)
        for alignment in 0..<3 {
            for range in EncodedText.ranges(ofBase64: secret, alignment: alignment, in: text) { found.append(range) }
        }
        found += EncodedText.ranges(ofHexadecimal: secret, in: text)
        return found
    }

    // Matches `password=abc`, `"abc"`, and a whole header, but not the word in a sentence: its removal would reveal the
    // secret.
    private func shortRanges(in text: [UInt8]) -> [Range<Int>] {
        let values = EscapedSearch.ranges(of: secret, in: text).filter { range in
            let before = range.lowerBound > 0 ? text[range.lowerBound - 1] : UInt8(ascii: " ")
            let after = range.upperBound < text.count ? text[range.upperBound] : UInt8(ascii: " ")
            return Self.givers.contains(before) && !Self.isWord(after)
        }
        return values + (pair.isEmpty ? [] : EncodedText.ranges(ofBase64: pair, alignment: 0, in: text))
    }

    private static let givers = Set("=:\"'".utf8)

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
