import FoundationEssentials

/// The proof that who redeems a code is who asked for it (PKCE, RFC 7636), and other values that nobody can guess.
struct ProofKey: Sendable {
    /// Sent when the code is redeemed.
    let verifier = ProofKey.random()

    /// Sent when the code is asked for: the verifier's SHA-256.
    var challenge: String? {
        var computation = DigestComputation(.sha256)
        Array(verifier.utf8).withUnsafeBytes { computation.add($0) }
        return computation.finish().map { Self.encode($0.bytes) }
    }

    /// 256 bits of the system's randomness, as text for an address.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return encode((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// Base64 for addresses, without padding.
    static func encode(_ bytes: [UInt8]) -> String {
        String(
            Data(bytes).base64EncodedString().compactMap { character -> Character? in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }
}
