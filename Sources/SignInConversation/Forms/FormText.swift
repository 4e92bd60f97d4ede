import CommandConsole
package import DocentInterfaces

/// Formats the ways to sign in for people. Pure.
package enum FormText {
    /// All forms.
    package static func text(_ forms: [Wire.SignInForm]) -> String {
        forms.map(text).joined(separator: "\n")
    }

    private static func text(_ form: Wire.SignInForm) -> String {
        var text = SafeText.escaped("\(form.identifier): \(form.title)") + "\n"
        if let help = form.help { text += "  \(SafeText.escaped(help))\n" }
        if let browser = form.browser, !browser.isEmpty { text += "  It needs a browser: \(words(browser)).\n" }
        text += lines(form.fields)
        if let questions = form.questions, !questions.isEmpty {
            text += "  It may ask during the sign-in:\n" + lines(questions)
        }
        return text
    }

    private static func words(_ browser: [String]) -> String {
        browser.map { name in
            switch name {
            case "loopback": "one on this machine"
            case "device": "one on any device, with a code (--device)"
            default: SafeText.escaped(name)
            }
        }.joined(separator: ", or ")
    }

    private static func lines(_ fields: [Wire.SignInField]) -> String {
        let width = fields.map { DisplayWidth.of(option($0)) }.max() ?? 0
        return fields.map { field in
            let option = option(field)
            let padding = String(repeating: " ", count: width - DisplayWidth.of(option) + 2)
            return "    \(SafeText.escaped(option))\(padding)\(SafeText.escaped(meaning(field)))\n"
        }.joined()
    }

    /// The option that answers a field, as in `--set region=eu|us`.
    package static func option(_ field: Wire.SignInField) -> String {
        if FormAnswers.isSecret(field) || field.isMultiline == true { return "--set-file \(field.key)=FILE" }
        switch field.key {
        case "url": return "--url URL"
        case "username": return "--username NAME"
        default: break
        }
        let value =
            switch field.kind {
            case "confirm": "yes|no"
            case "choice": field.choices?.map(\.value).joined(separator: "|") ?? "VALUE"
            default: "VALUE"
            }
        return "--set \(field.key)=\(value)"
    }

    private static func meaning(_ field: Wire.SignInField) -> String {
        var notes: [String] = []
        if FormAnswers.isSecret(field) { notes.append("secret") }
        if field.isMultiline == true { notes.append("several lines") }
        if field.isOptional == true { notes.append("may be empty") }
        if let value = field.value, !FormAnswers.isSecret(field) { notes.append("default: \(value)") }
        return field.label + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
            + (field.help.map { ". \($0)" } ?? "")
    }
}
