import DocentInterfaces
import Documents

/// Secrets that come as text. Pure.
enum SecretLines {
    /// The secrets of a whole content, one newline at its end apart: it all for one field, else a line each.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` where they do not fit the form.
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

    /// One secret for each field, as the form has them.
    static func take(_ secrets: [String], _ fields: [Wire.SignInField]) throws(DocumentsError)
        -> [String: String]
    {
        guard secrets.count <= fields.count else {
            throw DocumentsError(
                .invalidArgument,
                "There are \(secrets.count) lines of secrets, and the form has \(fields.count) of them.",
                suggestion: "Give one a line, in this order: " + fields.map(\.label).joined(separator: ", ")
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

    /// A secret that is needed, and was not given.
    static func empty(_ field: Wire.SignInField) -> DocumentsError {
        DocumentsError(.invalidArgument, "\"\(field.label)\" is empty.")
    }
}
