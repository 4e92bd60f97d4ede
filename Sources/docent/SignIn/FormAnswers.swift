import DocentInterfaces
import Documents

/// The answers to a form: those that are known, and what is still to be asked for. Pure.
struct FormAnswers: Equatable {
    let form: Wire.SignInForm
    /// By key; secrets included as soon as they are known.
    private(set) var values: [String: String]

    /// Begins with what the command line gave.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` for a secret among it, or an answer that the form does not take.
    init(_ form: Wire.SignInForm, given: [String: String]) throws(DocumentsError) {
        self.form = form
        values = given
        for field in form.fields {
            guard let value = given[field.key] else { continue }
            guard !Self.isSecret(field) else {
                throw DocumentsError(
                    .invalidArgument,
                    "\"\(field.label)\" is a secret, and arguments can be seen by everybody.",
                    suggestion:
                        "Type it when asked, or use --secret-fd, --askpass or --password-stdin. Change it at the "
                        + "service: it may have been seen, and lies in your shell's history.")
            }
            if let problem = Self.problem(value, field) {
                throw DocumentsError(.invalidArgument, problem)
            }
        }
    }

    /// What a person may be asked for that is no secret.
    var open: [Wire.SignInField] {
        form.fields.filter(isOpen)
    }

    /// Whether a person may be asked for it: whether a secret may go without https only where the address has none.
    func isOpen(_ field: Wire.SignInField) -> Bool {
        guard !Self.isSecret(field), values[field.key] == nil else { return false }
        return field.key != PlainAddress.consentKey || PlainAddress.isUnprotected(values["url"] ?? "")
    }

    /// The secrets of the form.
    var secrets: [Wire.SignInField] { form.fields.filter(Self.isSecret) }

    /// Takes an answer; an empty one is none.
    mutating func take(_ value: String, for field: Wire.SignInField) {
        values[field.key] = value.isEmpty ? nil : value
    }

    /// Takes the defaults of all that is open.
    mutating func takeDefaults() { for field in open { take(field.value ?? "", for: field) } }

    /// What is needed and missing, with the options that give it; nil when all is there.
    ///
    /// - Parameter hasSecrets: whether there is somebody or something to ask for secrets.
    func missing(hasSecrets: Bool) -> DocumentsError? {
        let needed = form.fields.filter { field in
            field.isOptional != true && values[field.key] == nil && !(Self.isSecret(field) && hasSecrets)
        }
        guard !needed.isEmpty else { return nil }
        return DocumentsError(
            .invalidArgument,
            "There is no terminal to ask on, and this is missing: "
                + needed.map { "\($0.label) (\(Self.option($0)))" }.joined(separator: ", ") + ".",
            suggestion:
                "Give it on the command line; secrets by --secret-fd, --askpass or --password-stdin.")
    }

    /// What is wrong with an answer; nil when nothing is that can be seen here.
    static func problem(_ value: String, _ field: Wire.SignInField) -> String? {
        if value.isEmpty {
            return field.isOptional == true ? nil : "\"\(field.label)\" must not be empty."
        }
        switch field.kind {
        case "url" where !isAddress(value):
            return "\"\(value)\" is no address; write it as in https://example.org/dav/."
        case "choice":
            let known = field.choices?.map(\.value) ?? []
            return known.contains(value)
                ? nil
                : "\"\(value)\" is none of the choices of \"\(field.label)\": \(known.joined(separator: ", "))."
        default: return nil
        }
    }

    /// Whether it is never shown.
    static func isSecret(_ field: Wire.SignInField) -> Bool { field.kind == "secret" }

    /// Whether a text has a scheme.
    static func isAddress(_ text: String) -> Bool {
        guard let colon = text.firstRange(of: "://") else { return false }
        return colon.lowerBound > text.startIndex && colon.upperBound < text.endIndex
    }

    private static func option(_ field: Wire.SignInField) -> String {
        if isSecret(field) { return "--secret-fd NUMBER" }
        switch field.key {
        case "url": return "--url URL"
        case "username": return "--username NAME"
        default: return "--set \(field.key)=VALUE"
        }
    }
}
