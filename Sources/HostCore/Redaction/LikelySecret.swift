/// Whether a text that a provider calls a secret is likely to be one. Pure.
///
/// A provider may store any text in the keyring. If an ordinary word became a secret, the provider could remove that
/// word from everything that is said about it, hints to the user included.
enum LikelySecret {
    /// Anything shorter, in bytes, is taken for an ordinary word.
    static let shortest = 8
    private static let fewestDifferent = 5
    /// A run of letters of this length is not a word of any language.
    private static let longestWord = 20

    /// - Parameter names: known texts that are not secrets: names of the user, the machine, the provider and the
    ///   account.
    static func isLikely(_ secret: [UInt8], names: Set<String> = []) -> Bool {
        guard secret.count >= shortest, Set(secret).count >= fewestDifferent else { return false }
        if let text = String(validating: secret, as: UTF8.self) {
            let lowered = text.lowercased()
            guard !lowered.contains("://"), !names.contains(where: { $0.lowercased() == lowered }) else { return false }
        }
        // Words with separators between them are a sentence, a path, or the name of a host, a file or a provider.
        return secret.split(whereSeparator: separators.contains).contains { part in
            part.allSatisfy(isLetter) ? part.count >= longestWord : part.contains(where: isLetter)
        }
    }

    private static let separators = Set(" ._-/:@,;()'\"".utf8)

    // Letters of other alphabets count too: each of their bytes.
    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte >= 0x80
    }
}
