import ArgumentParser
import Documents

/// How a document is named on a command line: where it lies, or what a client was granted.
enum DocumentName: Equatable {
    case location(DocumentLocation)
    case reference(DocumentReference)

    /// Reads either; the parser shows what is wrong with it.
    @Sendable
    static func parse(_ text: String) throws -> DocumentName {
        guard isReference(text) else { return .location(try LocationText.parse(text)) }
        do throws(DocumentsError) {
            return .reference(try DocumentReference(url: text))
        } catch {
            throw ValidationError([error.message, error.suggestion].compactMap(\.self).joined(separator: " "))
        }
    }

    /// Whether a text begins as references do.
    static func isReference(_ text: String) -> Bool { text.hasPrefix("docent://") }
}
