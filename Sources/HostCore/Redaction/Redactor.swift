import Foundation

/// Removes secrets from a provider's texts: as they are, escaped, percent-encoded, or in base64, with or without a user
/// name before them. A secret that is split or transformed in the provider's own way is not found. Pure.
struct Redactor {
    /// The replacement for a secret.
    static let mark = "‹secret›"
    /// A longer text is cut, so that it cannot keep the daemon busy.
    static let maximumLength = 32 << 10

    private let patterns: [SecretPattern]

    init(_ patterns: [SecretPattern]) { self.patterns = patterns }

    func redact(_ text: String) -> String {
        guard !patterns.isEmpty else { return text }
        var bytes = Array(text.utf8)
        let isCut = bytes.count > Self.maximumLength
        if isCut { bytes.removeLast(bytes.count - Self.maximumLength) }
        let found = patterns.flatMap { $0.ranges(in: bytes) }.sorted { $0.lowerBound < $1.lowerBound }
        guard !found.isEmpty || isCut else { return text }
        var result: [UInt8] = []
        var position = 0
        for range in found where range.upperBound > position {
            if range.lowerBound >= position {
                result += bytes[position..<range.lowerBound]
                result += Array(Self.mark.utf8)
            }
            position = range.upperBound
        }
        result += bytes[position...]
        // Part of a secret that the cut split would remain.
        if isCut { result.removeLast(min(result.count, 1024)) }
        return String(decoding: result, as: UTF8.self) + (isCut ? "…" : "")
    }

    /// The parts of a secret that are secrets themselves: its lines, and if it is JSON, as with tokens, the texts in
    /// it.
    static func parts(of secret: [UInt8]) -> [[UInt8]] {
        if secret.first == UInt8(ascii: "{"),
            let object = try? JSONSerialization.jsonObject(with: Data(secret)) as? [String: Any]
        {
            return tokens(in: object)
        }
        let lines = secret.split { $0 == 0x0A || $0 == 0x0D }.map(Array.init)
        return lines.count > 1 ? lines.filter { $0.count >= 8 } : []
    }

    private static func tokens(in object: [String: Any]) -> [[UInt8]] {
        object.flatMap { key, value -> [[UInt8]] in
            if let inner = value as? [String: Any] { return tokens(in: inner) }
            guard let text = value as? String, text.utf8.count >= 8, !text.contains("://") else { return [] }
            let name = key.lowercased()
            let isSecret = ["token", "secret", "password", "key", "code", "verifier", "assertion"].contains(
                where: name.contains)
            return isSecret && !name.hasSuffix("type") ? [Array(text.utf8)] : []
        }
    }
}
