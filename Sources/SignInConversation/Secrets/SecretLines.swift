import DocentInterfaces
import Documents

/// Secrets given as text. Pure.
enum SecretLines {
    /// Splits a whole content, without one final line feed: all of it for one field, otherwise one line per field.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` if the secrets do not fit the form.
    static func split(_ text: String, _ fields: [Wire.SignInField]) throws(DocumentsError) -> [String:
        String]
    {
        var bytes = text.utf8[...]
        if bytes.last == UInt8(ascii: "\n") { bytes = bytes.dropLast() }
        guard fields.count > 1 else { return try take([String(Substring(bytes))], fields) }
        return try take(
            bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
                String(Substring($0))
            },
            fields)
    }

    /// Assigns one secret to each field, in the order of the form.
    static func take(_ secrets: [String], _ fields: [Wire.SignInField]) throws(DocumentsError)
        -> [String: String]
    {
        guard secrets.count <= fields.count else {
            throw DocumentsError(
                .invalidArgument,
                "There are \(secrets.count) lines of secrets, but the form asks for \(fields.count).",
                suggestion: "Give one on each line, in this order: " + fields.map(\.label).joined(separator: ", ")
                    + ".")
        }
        var taken: [String: String] = [:]
        for (index, field) in fields.enumerated() {
            let secret = index < secrets.count ? secrets[index] : ""
            guard !secret.isEmpty || field.isOptional == true else { throw empty(field) }
            taken[field.key] = secret.isEmpty ? nil : secret
        }
        return taken
    }

    /// The error for a required secret that was not given.
    static func empty(_ field: Wire.SignInField) -> DocumentsError {
        DocumentsError(.invalidArgument, "\"\(field.label)\" is empty.")
    }
}
