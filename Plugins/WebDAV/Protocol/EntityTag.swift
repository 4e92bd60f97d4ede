import FileProvider
import HTTPTransport

/// An entity tag without its quotes.
struct EntityTag: Hashable, Sendable {
    let opaque: String
    let isWeak: Bool

    /// Reads a tag as servers write it, with or without quotes; nil if there is none.
    init?(_ text: String?) {
        guard var rest = text?.trimmed, !rest.isEmpty else { return nil }
        isWeak = rest.hasPrefix("W/")
        if isWeak { rest = rest.dropFirst(2) }
        if rest.count >= 2, rest.hasPrefix("\""), rest.hasSuffix("\"") { rest = rest.dropFirst().dropLast() }
        // Apache's mod_deflate says how it sent the content, which is no other version.
        for suffix in ["-gzip", ";gzip", "--gzip"] where rest.hasSuffix(suffix) { rest = rest.dropLast(suffix.count) }
        guard !rest.isEmpty, rest.utf8.allSatisfy({ $0 > 0x1F && $0 != 0x7F && $0 != 0x22 }) else { return nil }
        opaque = String(rest)
    }

    /// The tag that a version was made of; nil if it was not made of one, or of one too long.
    init?(_ version: ItemVersion) {
        guard version.content.hasPrefix("e:") else { return nil }
        opaque = String(version.content.dropFirst(2))
        isWeak = false
    }

    /// As a version, which has a bound.
    var version: ItemVersion {
        guard opaque.utf8.count > 120 else { return ItemVersion(content: "e:" + opaque) }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in opaque.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let start = String(decoding: opaque.utf8.prefix(60).map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self)
        return ItemVersion(content: "h:\(start):\(String(hash, radix: 16)):\(opaque.utf8.count)")
    }

    /// As it is sent.
    var quoted: String { "\"\(opaque)\"" }
}
