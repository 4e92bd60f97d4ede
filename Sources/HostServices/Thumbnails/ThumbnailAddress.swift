import DocentInterfaces

/// The addresses of documents that name their pictures.
enum ThumbnailAddress {
    /// The address of a document: its provider, its domain and its identifier.
    static func text(_ reference: Wire.ItemReference) -> String {
        "docent://" + [reference.provider, reference.domain, reference.identifier].map(escaped).joined(separator: "/")
    }

    /// A text in which every byte but letters, digits and `-._~` is written `%HH`.
    static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return result
    }
}
