import Cryptography
package import Storage

/// Names of placeholders: hidden, beside the place of the document that they stand for, and different from every legal name of
/// it (E2, 3.7). Pure.
///
/// The usual name is `.<name>.docent-placeholder`, from which the document's name can be read; where that would be too long,
/// `.<32 digits of a digest>.docent-placeholder`, and the name is inside.
package enum PlaceholderName {
    private static let ending = Array(".docent-placeholder".utf8)

    /// The placeholder's name of a document's file.
    package static func name(of document: FileName) -> FileName {
        let usual = [UInt8(ascii: ".")] + document.bytes + ending
        if let name = FileName(bytes: usual) { return name }
        let digits = SHA256.digest(of: document.bytes).description.prefix(32)
        return FileName(bytes: [UInt8(ascii: ".")] + Array(digits.utf8) + ending) ?? document
    }

    /// The document's name that a usual placeholder name tells; nil for other names. Of one with a digest it is the digest:
    /// what is inside tells.
    package static func document(of name: FileName) -> FileName? {
        guard name.bytes.first == UInt8(ascii: "."), name.bytes.count > ending.count + 1,
            name.bytes.suffix(ending.count).elementsEqual(ending)
        else { return nil }
        return FileName(bytes: name.bytes.dropFirst().dropLast(ending.count))
    }
}
