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
        // Apache's mod_deflate adds how it compressed the reply. That does not make another version.
        for suffix in ["-gzip", ";gzip", "--gzip"] where rest.hasSuffix(suffix) { rest = rest.dropLast(suffix.count) }
        guard !rest.isEmpty, rest.utf8.allSatisfy({ $0 > 0x1F && $0 != 0x7F && $0 != 0x22 }) else { return nil }
        opaque = String(rest)
    }

    /// The tag from which a version was made; nil if it was made from something else, or from a tag that was too long.
    init?(_ version: ItemVersion) {
        guard version.content.hasPrefix("e:") else { return nil }
        opaque = String(version.content.dropFirst(2))
        isWeak = false
    }

    /// The tag as a version, whose length is limited.
    var version: ItemVersion {
        guard opaque.utf8.count > 120 else { return ItemVersion(content: "e:" + opaque) }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in opaque.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let start = String(decoding: opaque.utf8.prefix(60).map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self)
        return ItemVersion(content: "h:\(start):\(String(hash, radix: 16)):\(opaque.utf8.count)")
    }

    /// The tag in the form that is sent.
    var quoted: String { "\"\(opaque)\"" }
}
