/// A person's answers to a ``SignInForm``, including secrets. Valid during the attempt only: do not keep or log them.
public struct SignInAnswers: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The form that was chosen.
    public let form: SignInForm
    private let values: [String: String]

    /// Creates answers to a form. An optional field left empty counts as unanswered; missing answers get their
    /// defaults.
    ///
    /// - Throws: ``FileProviderError/Code/invalidArgument`` for a key that the form does not have, a missing answer, or
    ///   a value that is not among the choices. The message never contains a value.
    public init(_ values: [String: String], to form: SignInForm) throws {
        var known: [String: String] = [:]
        for field in form.fields {
            let given = values[field.key].flatMap { $0.isEmpty ? nil : $0 }
            let standard = field.kind == .secret ? nil : field.value.flatMap { $0.isEmpty ? nil : $0 }
            guard let value = given ?? standard else {
                guard field.isOptional else {
                    throw FileProviderError(.invalidArgument, "\"\(field.label)\" (\(field.key)) is missing.")
                }
                continue
            }
            try field.check(value)
            known[field.key] = field.normalized(value)
        }
        if let strange = values.keys.sorted().first(where: { key in !form.fields.contains { $0.key == key } }) {
            throw FileProviderError(.invalidArgument, "\"\(form.title)\" does not ask for \"\(strange)\".")
        }
        self.form = form
        self.values = known
    }

    /// The longest answer, in bytes.
    public static let maximumLength = 64 << 10

    /// The answer to a field; nil if it was left empty.
    public subscript(key: String) -> String? { values[key] }

    /// The answers that are not secret.
    public var settings: [String: String] {
        values.filter { answer in form.fields.contains { $0.key == answer.key && $0.kind != .secret } }
    }

    /// A text without the answers.
    public var description: String { "answers to \(form.identifier)" }
    /// A text without the answers.
    public var debugDescription: String { description }
    /// An empty mirror, so that no answer is printed.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
