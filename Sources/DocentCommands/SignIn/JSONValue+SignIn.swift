import CommandConsole
import DocentInterfaces
import Documents
import SignInConversation

/// The sign-in and sign-out records of docs/json.md.
extension JSONValue {
    /// The result of `docent login`.
    init(login reply: AdministrationInterface.Login.Reply) {
        self = .object([
            "domain": reply.domain.map(JSONValue.init(domain:)) ?? .null,
            "storage": reply.storage.map(JSONValue.init(storage:)) ?? .null,
        ])
    }

    /// The sign-in forms of a provider.
    init(forms: [Wire.SignInForm], of provider: String) {
        self = .object([
            "provider": .string(provider),
            "forms": .array(
                forms.map { form in
                    .object([
                        "identifier": .string(form.identifier),
                        "title": .string(form.title),
                        "help": JSONValue(form.help),
                        "browser": JSONValue(form.browser ?? []),
                        "fields": .array(form.fields.map(JSONValue.init(field:))),
                        "questions": .array((form.questions ?? []).map(JSONValue.init(field:))),
                    ])
                }),
        ])
    }

    /// A field of a form; never the value of a secret.
    init(field: Wire.SignInField) {
        self = .object([
            "key": .string(field.key),
            "label": .string(field.label),
            "kind": .string(field.kind),
            "value": JSONValue(FormAnswers.isSecret(field) ? nil : field.value),
            "help": JSONValue(field.help),
            "isOptional": .bool(field.isOptional == true),
            "isMultiline": .bool(field.isMultiline == true),
            "choices": .array(
                (field.choices ?? []).map { .object(["value": .string($0.value), "label": .string($0.label)]) }),
            "option": .string(FormText.option(field)),
        ])
    }

    /// Where a secret is stored.
    init(storage: Wire.CredentialStorage) {
        self = .object([
            "rung": .string(storage.rung),
            "name": .string(storage.name),
            "isWritable": .bool(storage.isWritable),
            "protection": .string(storage.protection),
            "reason": .string(storage.reason),
            "remedy": JSONValue(storage.remedy),
        ])
    }

    /// The result of `docent logout`.
    init(logout reply: AdministrationInterface.Logout.Reply, wasSignedOut: Bool) {
        self = .object([
            "domain": reply.domain.map(JSONValue.init(domain:)) ?? .null,
            "wasSignedOut": .bool(wasSignedOut),
            "kept": .array((reply.kept ?? []).map(JSONValue.init(version:))),
            "discarded": .integer(reply.discarded ?? 0),
            "openDescriptors": .integer(reply.openDescriptors ?? 0),
            "left": JSONValue(reply.left),
            "undeleted": .array((reply.undeleted ?? []).map(JSONValue.string)),
        ])
    }
}
