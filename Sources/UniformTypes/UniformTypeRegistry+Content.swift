extension UniformTypeRegistry {
    /// The type of content from its first bytes, for content without a name or with an unknown one.
    ///
    /// The rules of the machine's MIME database come first, then a small built-in table, then a check whether it is
    /// text.
    ///
    /// - Parameter prefix: the beginning of the content; 4 KiB are enough for nearly all types.
    /// - Returns: nil when the type cannot be determined.
    public func type(ofContent prefix: [UInt8]) -> UniformType? {
        guard !prefix.isEmpty else { return nil }
        let told = mime.magic.mimeType(ofContent: prefix).map { type(mimeType: $0) }
        if let told, told != .data, !told.identifier.hasPrefix("dyn.") { return told }
        let known = Self.signatures.first { signature in
            prefix.dropFirst(signature.offset).starts(with: signature.bytes)
        }
        if let known { return type(mimeType: known.mimeType) }
        return Self.isText(prefix) ? .plainText : nil
    }

    private struct Signature {
        var offset = 0
        var bytes: [UInt8]
        var mimeType: String
    }

    private static let signatures: [Signature] = [
        Signature(bytes: [0x89] + Array("PNG\r\n\u{1A}\n".utf8), mimeType: "image/png"),
        Signature(bytes: [0xFF, 0xD8, 0xFF], mimeType: "image/jpeg"),
        Signature(bytes: Array("GIF8".utf8), mimeType: "image/gif"),
        Signature(offset: 8, bytes: Array("WEBP".utf8), mimeType: "image/webp"),
        Signature(bytes: Array("II*\0".utf8), mimeType: "image/tiff"),
        Signature(bytes: Array("MM\0*".utf8), mimeType: "image/tiff"),
        Signature(bytes: Array("%PDF-".utf8), mimeType: "application/pdf"),
        Signature(bytes: Array("{\\rtf".utf8), mimeType: "application/rtf"),
        Signature(bytes: Array("<?xml".utf8), mimeType: "application/xml"),
        Signature(bytes: Array("<!DOCTYPE html".utf8), mimeType: "text/html"),
        Signature(offset: 30, bytes: Array("mimetypeapplication/epub+zip".utf8), mimeType: "application/epub+zip"),
        Signature(bytes: Array("PK\u{3}\u{4}".utf8), mimeType: "application/zip"),
        Signature(bytes: [0x1F, 0x8B, 0x08], mimeType: "application/gzip"),
        Signature(bytes: Array("BZh".utf8), mimeType: "application/x-bzip2"),
        Signature(bytes: [0xFD] + Array("7zXZ\0".utf8), mimeType: "application/x-xz"),
        Signature(offset: 257, bytes: Array("ustar".utf8), mimeType: "application/x-tar"),
        Signature(bytes: Array("ID3".utf8), mimeType: "audio/mpeg"),
        Signature(bytes: Array("fLaC".utf8), mimeType: "audio/flac"),
        Signature(bytes: Array("OggS".utf8), mimeType: "audio/ogg"),
        Signature(offset: 8, bytes: Array("WAVE".utf8), mimeType: "audio/x-wav"),
        Signature(offset: 4, bytes: Array("ftypqt".utf8), mimeType: "video/quicktime"),
        Signature(offset: 4, bytes: Array("ftypheic".utf8), mimeType: "image/heic"),
        Signature(offset: 4, bytes: Array("ftyp".utf8), mimeType: "video/mp4"),
        Signature(bytes: Array("SQLite format 3\0".utf8), mimeType: "application/vnd.sqlite3"),
        Signature(bytes: Array("#!/bin/sh".utf8), mimeType: "application/x-shellscript"),
    ]

    // UTF-8 without control characters; a last character that the prefix truncates is allowed.
    private static func isText(_ prefix: [UInt8]) -> Bool {
        guard !prefix.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) || $0 == 0x7F })
        else {
            return false
        }
        return (0...min(3, prefix.count - 1)).contains { String(validating: prefix.dropLast($0), as: UTF8.self) != nil }
    }
}
