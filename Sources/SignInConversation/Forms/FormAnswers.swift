package import DocentInterfaces
package import Documents

/// The known answers to a form, and what still has to be asked for. Pure.
package struct FormAnswers: Equatable {
    /// The form to be answered.
    package let form: Wire.SignInForm
    /// Answers by key, including secrets once they are known.
    package private(set) var values: [String: String]
    /// The keys of answers from files.
    private let ofFiles: Set<String>

    /// Starts with the answers from the command line. Answers to the form's questions are kept for when they are asked.
    ///
    /// - Parameter files: the contents of files, by key; they may include secrets.
    /// - Throws: ``DocumentsError`` `invalidArgument` if `given` includes a secret, or if the form does not accept an
    ///   answer.
    package init(
        _ form: Wire.SignInForm, given: [String: String], files: [String: String] = [:]
    ) throws(DocumentsError) {
        self.form = form
        ofFiles = Set(files.keys)
        values = [:]
        for field in form.fields + (form.questions ?? []) where given[field.key] != nil && Self.isSecret(field) {
            throw Self.secretArgument(field)
        }
        let questions = Set((form.questions ?? []).map(\.key))
        values = given.merging(files) { $1 }.filter { !questions.contains($0.key) }
        for field in form.fields {
            guard let value = values[field.key] else { continue }
            if let problem = Self.problem(value, field) {
                throw DocumentsError(.invalidArgument, problem)
            }
            // An empty answer stays: it was given, so it is not asked for.
            if !value.isEmpty { take(value, for: field) }
        }
    }

    /// The error for a secret that was given as an argument.
    static func secretArgument(_ field: Wire.SignInField) -> DocumentsError {
        DocumentsError(
            .invalidArgument,
            "\"\(field.label)\" is a secret, and everybody can see arguments.",
            suggestion:
                "Type it when asked, or use --set-file, --secret-fd, --askpass or --password-stdin. Change it at the "
                + "service: it may have been seen, and is in your shell's history.")
    }

    /// The fields that a person may be asked for, except secrets.
    package var open: [Wire.SignInField] {
        form.fields.filter(isOpen)
    }

    /// Whether a person may be asked for a field. Consent to send secrets without https is needed only if the address
    /// has none.
    func isOpen(_ field: Wire.SignInField) -> Bool {
        guard !Self.isSecret(field), values[field.key] == nil else { return false }
        return field.key != PlainAddress.consentKey || PlainAddress.isUnprotected(values["url"] ?? "")
    }

    /// The secrets of the form, except those from files.
    package var secrets: [Wire.SignInField] { form.fields.filter { Self.isSecret($0) && !ofFiles.contains($0.key) } }

    /// Records an answer. An empty one removes it, and one of several lines gets a final line feed.
    package mutating func take(_ value: String, for field: Wire.SignInField) {
        let endsLine = field.isMultiline == true && value.utf8.last != UInt8(ascii: "\n")
        values[field.key] = value.isEmpty ? nil : value + (endsLine ? "\n" : "")
    }

    /// Records the defaults of all open fields.
    package mutating func takeDefaults() { for field in open { take(field.value ?? "", for: field) } }

    /// The error that lists missing answers, with the options that give them; nil if nothing is missing.
    ///
    /// - Parameter hasSecrets: whether secrets can be asked for.
    package func missing(hasSecrets: Bool) -> DocumentsError? {
        let needed = form.fields.filter { field in
            field.isOptional != true && values[field.key] == nil && !(Self.isSecret(field) && hasSecrets)
        }
        guard !needed.isEmpty else { return nil }
        return DocumentsError(
            .invalidArgument,
            "There is no terminal to ask on, and this is missing: "
                + needed.map { "\($0.label) (\(Self.option($0)))" }.joined(separator: ", ") + ".",
            suggestion:
                "Give it on the command line; secrets with --set-file, --secret-fd, --askpass or --password-stdin.")
    }

    /// What is wrong with an answer; nil if no problem can be seen here.
    static func problem(_ value: String, _ field: Wire.SignInField) -> String? {
        if value.isEmpty {
            return field.isOptional == true ? nil : "\"\(field.label)\" must not be empty."
        }
        switch field.kind {
        case "confirm":
            return ["yes", "no"].contains(value) ? nil : "The answer to \"\(field.label)\" must be yes or no."
        case "url" where !isAddress(value):
            return "\"\(value)\" is not an address; write it like https://example.org/dav/."
        case "choice":
            let known = field.choices?.map(\.value) ?? []
            return known.contains(value)
                ? nil
                : "\"\(value)\" is not one of the choices of \"\(field.label)\": \(known.joined(separator: ", "))."
        default: return nil
        }
    }

    /// Whether the answer is never shown.
    package static func isSecret(_ field: Wire.SignInField) -> Bool { field.kind == "secret" }

    /// Whether a text begins with a scheme and `://`.
    package static func isAddress(_ text: String) -> Bool {
        guard let colon = text.firstRange(of: "://") else { return false }
        return colon.lowerBound > text.startIndex && colon.upperBound < text.endIndex
    }

    private static func option(_ field: Wire.SignInField) -> String {
        if field.isMultiline == true { return "--set-file \(field.key)=FILE" }
        if isSecret(field) { return "--secret-fd NUMBER" }
        switch field.key {
        case "url": return "--url URL"
        case "username": return "--username NAME"
        default: return "--set \(field.key)=VALUE"
        }
    }
}
