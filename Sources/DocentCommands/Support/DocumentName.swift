import ArgumentParser
import Documents

/// A document as named on a command line: by its location, or by the reference that a client was granted.
enum DocumentName: Equatable {
    case location(DocumentLocation)
    case reference(DocumentReference)

    /// Parses either form. The parser reports the error.
    @Sendable
    static func parse(_ text: String) throws -> DocumentName {
        guard isReference(text) else { return .location(try LocationText.parse(text)) }
        do throws(DocumentsError) {
            return .reference(try DocumentReference(url: text))
        } catch {
            throw ValidationError([error.message, error.suggestion].compactMap(\.self).joined(separator: " "))
        }
    }

    /// Whether a text begins like a reference.
    static func isReference(_ text: String) -> Bool { text.hasPrefix("docent://") }
}
