/// Converts the names of documents to names of local files.
package enum FileNames {
    /// The bytes of a shown name: `\xHH` is converted back to its byte if that is above 0x7F or a backslash.
    ///
    /// Lower bytes are never written like this in names (they are UTF-8), and converting them would let a name smuggle
    /// in a slash.
    ///
    /// - Returns: nil if no file on this machine can have the name.
    package static func bytes(_ shown: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Substring(shown).utf8[...]
        while let byte = rest.first {
            if let value = escapedByte(rest.prefix(4)), value >= 0x80 || value == UInt8(ascii: "\\") {
                bytes.append(value)
                rest = rest.dropFirst(4)
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        let isLegal =
            !bytes.isEmpty && bytes.count <= 255 && !bytes.contains(0) && !bytes.contains(UInt8(ascii: "/"))
            && bytes != Array(".".utf8) && bytes != Array("..".utf8)
        return isLegal ? bytes : nil
    }

    private static func escapedByte(_ text: Substring.UTF8View) -> UInt8? {
        guard text.count == 4, text.starts(with: "\\x".utf8), let digits = String(text.dropFirst(2)),
            digits.allSatisfy({ $0.isHexDigit && $0.isASCII })
        else { return nil }
        return UInt8(digits, radix: 16)
    }

    /// The last component of a local path; empty for `/` and the empty path.
    package static func last(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }
}
