import Cryptography

/// Converts any text to a legal file name, and back.
///
/// ASCII letters, digits and `-._@+,=` stay (the first character only if it is a letter or digit); all other bytes
/// become `%HH`. Thus neither Unicode normalisation nor hidden names can make two texts collide. A name that would be
/// longer than 255 bytes becomes `_h-` and the SHA-256 of the text; the text must then be stored elsewhere.
package enum NameEscaping {
    private static let hashPrefix = "_h-"
    private static let emptyName = "_empty"

    /// The file name for `text`.
    package static func escape(_ text: String) -> FileName {
        guard !text.isEmpty else { return FileName(unchecked: Array(emptyName.utf8)) }
        var name: [UInt8] = []
        name.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isPlain(byte, first: name.isEmpty) {
                name.append(byte)
            } else {
                name.append(UInt8(ascii: "%"))
                name.append(contentsOf: FileName.hexadecimal(byte).utf8)
            }
            if name.count > FileName.maximumLength { return hashed(text) }
        }
        return FileName(unchecked: name)
    }

    /// Whether the name is a digest, from which the text cannot be recovered.
    package static func isHashed(_ name: FileName) -> Bool {
        name.bytes.starts(with: hashPrefix.utf8)
    }

    /// The text that `name` stands for; nil when it is a digest, or not a name that `escape` creates.
    package static func unescape(_ name: FileName) -> String? {
        if name.bytes == Array(emptyName.utf8) { return "" }
        var bytes: [UInt8] = []
        var rest = name.bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let digits = String(validating: rest.prefix(2), as: UTF8.self), digits.utf8.count == 2,
                    let value = UInt8(digits, radix: 16)
                else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self), escape(text) == name else { return nil }
        return text
    }

    /// A legal name for a file with any declared name: unchanged if legal, otherwise escaped. A name that is too long
    /// is shortened before the extension and marked with a digest.
    package static func storageName(for declared: [UInt8]) -> FileName {
        if let name = FileName(bytes: declared), !declared.starts(with: reservedPrefix.utf8) { return name }
        var escaped: [UInt8] = []
        let dotsOnly = declared.allSatisfy { $0 == UInt8(ascii: ".") } || declared.starts(with: reservedPrefix.utf8)
        for byte in declared {
            if byte == 0 || byte == UInt8(ascii: "/") || (dotsOnly && byte == UInt8(ascii: ".")) {
                escaped.append(UInt8(ascii: "%"))
                escaped.append(contentsOf: FileName.hexadecimal(byte).utf8)
            } else {
                escaped.append(byte)
            }
        }
        guard escaped.count > FileName.maximumLength || escaped.isEmpty else { return FileName(unchecked: escaped) }
        if escaped.isEmpty { return FileName(unchecked: Array("unnamed".utf8)) }
        let suffix = escaped.lastIndex(of: UInt8(ascii: ".")).map { Array(escaped[$0...]) } ?? []
        let kept = suffix.count <= 20 ? suffix : []
        let mark = Array("~\(SHA256.digest(of: declared).description.prefix(16))".utf8) + kept
        var start = escaped.prefix(FileName.maximumLength - mark.count)
        // Do not cut within a character, so that a name that was text stays text.
        while escaped[start.endIndex] & 0xC0 == 0x80, start.count > FileName.maximumLength - mark.count - 3 {
            start.removeLast()
        }
        return FileName(unchecked: start + mark)
    }

    /// Prefix of the names that Docent reserves for itself in an item's folder.
    static let reservedPrefix = ".docent-"

    private static func hashed(_ text: String) -> FileName {
        FileName(unchecked: Array((hashPrefix + SHA256.digest(of: Array(text.utf8)).description).utf8))
    }

    private static func isPlain(_ byte: UInt8, first: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "+"),
            UInt8(ascii: ","), UInt8(ascii: "="):
            !first
        default: false
        }
    }
}
