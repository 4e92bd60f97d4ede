import FoundationEssentials

/// Proves that a code is redeemed by the client that requested it (PKCE, RFC 7636). Also makes other unguessable
/// values.
struct ProofKey: Sendable {
    /// Sent when the code is redeemed.
    let verifier = ProofKey.random()

    /// The SHA-256 of the verifier. Sent when the code is requested.
    var challenge: String? {
        var computation = DigestComputation(.sha256)
        Array(verifier.utf8).withUnsafeBytes { computation.add($0) }
        return computation.finish().map { Self.encode($0.bytes) }
    }

    /// 256 random bits from the system as URL-safe text.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return encode((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// URL-safe Base64 without padding.
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
