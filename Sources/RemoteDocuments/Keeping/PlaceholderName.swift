import Cryptography
package import Storage

/// Names of placeholders: hidden, next to the document's place, and different from every legal document name (E2, 3.7).
/// Pure.
///
/// The usual name is `.<name>.docent-placeholder`, from which the document's name can be read. Where that would be too
/// long, it is `.<32 digits of a digest>.docent-placeholder`, and the file contains the name.
package enum PlaceholderName {
    private static let ending = Array(".docent-placeholder".utf8)

    /// The name of a document's placeholder.
    package static func name(of document: FileName) -> FileName {
        let usual = [UInt8(ascii: ".")] + document.bytes + ending
        if let name = FileName(bytes: usual) { return name }
        let digits = SHA256.digest(of: document.bytes).description.prefix(32)
        return FileName(bytes: [UInt8(ascii: ".")] + Array(digits.utf8) + ending) ?? document
    }
}
