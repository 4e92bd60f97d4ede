import Cryptography

/// Makes a legal file name of any text, and the text of such a name.
///
/// ASCII letters, digits and `-._@+,=` stay (the first character only if a letter or digit), all other bytes become
/// `%HH`, so neither case of Unicode normalisation nor a hidden name can make two texts meet. What would be longer than
/// 255 bytes becomes `_h-` and its SHA-256; its text must be kept elsewhere.
package enum NameEscaping {
    private static let hashPrefix = "_h-"
    private static let emptyName = "_empty"

    /// The file name that stands for `text`.
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

    /// Whether the name is a digest, from which the text cannot be had.
    package static func isHashed(_ name: FileName) -> Bool {
        name.bytes.starts(with: hashPrefix.utf8)
    }

    /// The text that `name` stands for; nil when it is a digest, or no name that `escape` makes.
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

    /// A legal name for a file whose declared name may be anything: unchanged when it is legal, else escaped;
    /// too long ones are shortened before the extension and marked with a digest.
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
        // Not within a character, so that a name that was text stays text.
        while escaped[start.endIndex] & 0xC0 == 0x80, start.count > FileName.maximumLength - mark.count - 3 {
            start.removeLast()
        }
        return FileName(unchecked: start + mark)
    }

    /// Names that begin so are Docent's own inside an item's folder.
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
