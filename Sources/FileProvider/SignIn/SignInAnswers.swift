/// What a person answered to a ``SignInForm``, secrets included. Lives as long as the attempt: do not keep it, and do not log it.
public struct SignInAnswers: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The form that was chosen.
    public let form: SignInForm
    private let values: [String: String]

    /// Answers to a form. Those to optional fields that were left empty are as if they had not been given; defaults stand for what is missing.
    ///
    /// - Throws: ``FileProviderError/Code/invalidArgument`` for a key that is none of the form's, a missing answer, a value that is
    ///   none of the choices. The message never has a value in it.
    public init(_ values: [String: String], to form: SignInForm) throws {
        var known: [String: String] = [:]
        for field in form.fields {
            let given = values[field.key].flatMap { $0.isEmpty ? nil : $0 }
            let standard = field.kind == .secret ? nil : field.value.flatMap { $0.isEmpty ? nil : $0 }
            guard let value = given ?? standard else {
                guard field.isOptional else {
                    throw FileProviderError(.invalidArgument, "“\(field.label)” (\(field.key)) is missing.")
                }
                continue
            }
            try field.check(value)
            known[field.key] = field.normalized(value)
        }
        if let strange = values.keys.sorted().first(where: { key in !form.fields.contains { $0.key == key } }) {
            throw FileProviderError(.invalidArgument, "“\(form.title)” does not ask for “\(strange)”.")
        }
        self.form = form
        self.values = known
    }

    /// The longest answer, in bytes.
    public static let maximumLength = 64 << 10

    /// The answer to a field; nil if it was left empty.
    public subscript(key: String) -> String? { values[key] }

    /// The answers that are no secrets.
    public var settings: [String: String] {
        values.filter { answer in form.fields.contains { $0.key == answer.key && $0.kind != .secret } }
    }

    /// Never tells an answer.
    public var description: String { "answers to \(form.identifier)" }
    /// Never tells an answer.
    public var debugDescription: String { description }
    /// Never tells an answer.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
