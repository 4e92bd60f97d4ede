package import DocentInterfaces
package import Documents

/// The answers to a form: those that are known, and what is still to be asked for. Pure.
package struct FormAnswers: Equatable {
    /// What is asked for.
    package let form: Wire.SignInForm
    /// By key; secrets included as soon as they are known.
    package private(set) var values: [String: String]
    /// The keys of what came from files.
    private let ofFiles: Set<String>

    /// Begins with what the command line gave. Answers to the form's questions are left for when they are asked.
    ///
    /// - Parameter files: the contents of files, by key; secrets may be among them.
    /// - Throws: ``DocumentsError`` `invalidArgument` for a secret among `given`, or an answer that the form does not take.
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
            // An empty one stays: it was given, and is not asked for.
            if !value.isEmpty { take(value, for: field) }
        }
    }

    /// A secret was given as an argument.
    static func secretArgument(_ field: Wire.SignInField) -> DocumentsError {
        DocumentsError(
            .invalidArgument,
            "\"\(field.label)\" is a secret, and arguments can be seen by everybody.",
            suggestion:
                "Type it when asked, or use --set-file, --secret-fd, --askpass or --password-stdin. Change it at the "
                + "service: it may have been seen, and lies in your shell's history.")
    }

    /// What a person may be asked for that is no secret.
    package var open: [Wire.SignInField] {
        form.fields.filter(isOpen)
    }

    /// Whether a person may be asked for it: whether a secret may go without https only where the address has none.
    func isOpen(_ field: Wire.SignInField) -> Bool {
        guard !Self.isSecret(field), values[field.key] == nil else { return false }
        return field.key != PlainAddress.consentKey || PlainAddress.isUnprotected(values["url"] ?? "")
    }

    /// The secrets of the form, but for those that files gave.
    package var secrets: [Wire.SignInField] { form.fields.filter { Self.isSecret($0) && !ofFiles.contains($0.key) } }

    /// Takes an answer; an empty one is none, and one of several lines ends with a line feed.
    package mutating func take(_ value: String, for field: Wire.SignInField) {
        let endsLine = field.isMultiline == true && value.utf8.last != UInt8(ascii: "\n")
        values[field.key] = value.isEmpty ? nil : value + (endsLine ? "\n" : "")
    }

    /// Takes the defaults of all that is open.
    package mutating func takeDefaults() { for field in open { take(field.value ?? "", for: field) } }

    /// What is needed and missing, with the options that give it; nil when all is there.
    ///
    /// - Parameter hasSecrets: whether there is somebody or something to ask for secrets.
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
                "Give it on the command line; secrets by --set-file, --secret-fd, --askpass or --password-stdin.")
    }

    /// What is wrong with an answer; nil when nothing is that can be seen here.
    static func problem(_ value: String, _ field: Wire.SignInField) -> String? {
        if value.isEmpty {
            return field.isOptional == true ? nil : "\"\(field.label)\" must not be empty."
        }
        switch field.kind {
        case "confirm":
            return ["yes", "no"].contains(value) ? nil : "\"\(field.label)\" is answered by yes or no."
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
    package static func isSecret(_ field: Wire.SignInField) -> Bool { field.kind == "secret" }

    /// Whether a text has a scheme.
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
