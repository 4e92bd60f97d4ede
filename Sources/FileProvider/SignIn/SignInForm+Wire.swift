import DocentInterfaces
import FoundationEssentials

extension Wire.SignInForm {
    /// Converts a form.
    init(_ form: SignInForm) {
        self.init(
            identifier: form.identifier, title: form.title, help: form.help,
            fields: form.fields.map(Wire.SignInField.init),
            browser: form.browser.isEmpty ? nil : form.browser.map(\.rawValue),
            questions: form.questions.isEmpty ? nil : form.questions.map(Wire.SignInField.init))
    }
}

extension Wire.SignInField {
    /// Converts a field.
    init(_ field: SignInField) {
        let kind =
            switch field.kind {
            case .text: "text"
            case .url: "url"
            case .secret: "secret"
            case .choice: "choice"
            case .confirm: "confirm"
            }
        var choices: [Wire.SignInChoice]?
        if case .choice(let all) = field.kind {
            choices = all.map { Wire.SignInChoice(value: $0.value, label: $0.label) }
        }
        self.init(
            key: field.key, label: field.label, kind: kind, value: field.kind == .secret ? nil : field.value,
            help: field.help,
            isOptional: field.isOptional ? true : nil, choices: choices,
            isMultiline: field.isMultiline ? true : nil)
    }
}

extension Wire.SignInStep {
    /// Converts a step.
    init(_ step: SignInStep) {
        switch step {
        case .open(let url): self.init(kind: "open", url: url)
        case .code(let code, let url, let completeURL, let expires):
            self.init(
                kind: "code", url: url, userCode: code, completeURL: completeURL,
                expires: expires?.timeIntervalSince1970)
        case .message(let text): self.init(kind: "message", message: text)
        case .question(let field, let number, let expires):
            self.init(
                kind: "question", expires: expires.timeIntervalSince1970, question: Wire.SignInField(field),
                number: number)
        }
    }
}
