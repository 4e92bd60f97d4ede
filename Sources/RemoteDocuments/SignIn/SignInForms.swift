package import DocentInterfaces
package import ExtensionHosting
package import Rights
import Varlink

/// The ways to sign in to a provider, and the meaning of the answers. An extension's declaration is trusted only as far
/// as it is checked here. Pure, except for asking the extension.
package struct SignInForms: Sendable {
    /// The identifier of the form for providers that declare none.
    static let standardIdentifier = "password"
    private static let kinds: Set<String> = ["text", "url", "secret", "choice", "confirm"]

    package let forms: [Wire.SignInForm]
    /// Whether the extension itself verifies the answers (feature `authenticate`).
    package let asksExtension: Bool

    /// Asks an extension for its forms.
    ///
    /// - Throws: ``Failure`` `NotSupported` for a provider that takes no credential.
    package init(_ connection: ExtensionConnection) async throws {
        asksExtension = connection.features.contains("authenticate")
        if asksExtension {
            let reply = try await connection.call(FileProviderInterface.SignInForms.self, .init())
            forms = try reply.value.forms.map { try Self.checked($0, connection.provider) }
            guard !forms.isEmpty, forms.count <= 16, Set(forms.map(\.identifier)).count == forms.count else {
                throw Self.broken(connection.provider)
            }
        } else if connection.features.contains("signIn") {
            forms = [Self.standard]
        } else {
            throw Failure(
                .notSupported, "\(connection.provider) needs no sign-in: it takes no credential.",
                suggestion: "Use it without signing in.", provider: connection.provider)
        }
    }

    /// Takes the given forms.
    init(_ forms: [Wire.SignInForm], asksExtension: Bool) {
        self.forms = forms
        self.asksExtension = asksExtension
    }

    /// The form for providers that declare none.
    static var standard: Wire.SignInForm {
        Wire.SignInForm(
            identifier: standardIdentifier, title: "Password",
            fields: [
                .init(key: "url", label: "Address", kind: "url", isOptional: true),
                .init(key: "username", label: "User name", kind: "text"),
                .init(key: "password", label: "Password", kind: "secret"),
            ])
    }

    private static func checked(_ form: Wire.SignInForm, _ provider: String) throws(Failure) -> Wire.SignInForm {
        let keys = Set(form.fields.map(\.key))
        let questions = form.questions ?? []
        let questionKeys = Set(questions.map(\.key))
        guard !form.identifier.isEmpty, form.fields.count <= 32, keys.count == form.fields.count,
            form.fields.allSatisfy({ !$0.key.isEmpty && kinds.contains($0.kind) }),
            questions.count <= SignInQuestion.maximum, questionKeys.count == questions.count,
            questionKeys.isDisjoint(with: keys),
            questions.allSatisfy({ SignInQuestion.isKey($0.key) && kinds.contains($0.kind) })
        else { throw broken(provider) }
        return form
    }

    private static func broken(_ provider: String) -> Failure {
        Failure(
            .providerFailed, "\(provider) asks for a sign-in with an invalid form.",
            suggestion: "Report this to its authors.", provider: provider)
    }

    /// The forms with a domain's known values as defaults; never with a secret.
    package func filled(from domain: ProviderDomain?) -> [Wire.SignInForm] {
        forms.map { form in
            var form = form
            for index in form.fields.indices {
                let field = form.fields[index]
                if field.kind == "secret" {
                    form.fields[index].value = nil
                } else if field.key == DomainSettings.unprotected {
                    // Each login asks again: the address may have changed.
                    continue
                } else if let known = Self.known(field.key, domain) {
                    form.fields[index].value = known
                }
            }
            for index in (form.questions ?? []).indices { form.questions?[index].value = nil }
            return form
        }
    }

    private static func known(_ key: String, _ domain: ProviderDomain?) -> String? {
        domain?.settings[key] ?? (key == "username" ? domain?.credential?.username : nil)
    }

    /// The submitted form, once its answers are complete.
    ///
    /// - Throws: ``Failure`` `InvalidArgument`, whose text contains no answer.
    package func form(_ identifier: String, answering values: [String: String]) throws(Failure) -> Wire.SignInForm {
        guard let form = forms.first(where: { $0.identifier == identifier }) else {
            throw Failure(
                .invalidArgument, "There is no way to sign in called \"\(identifier.prefix(64))\".",
                suggestion: "Use one of " + forms.map(\.identifier).joined(separator: ", ") + ".")
        }
        let keys = Set(form.fields.map(\.key)).union([DomainSettings.certificateAuthority])
        guard values.keys.allSatisfy(keys.contains) else {
            throw Failure(
                .invalidArgument, "The form \(identifier) does not have all of these fields.",
                suggestion: "Its fields are " + form.fields.map(\.key).joined(separator: ", ") + ".")
        }
        for field in form.fields {
            let value = values[field.key] ?? ""
            guard !value.isEmpty || field.isOptional == true else {
                throw Failure(.invalidArgument, "\(field.label) is missing.", suggestion: "Give \(field.key).")
            }
            guard value.utf8.count <= CredentialSource.limit, !value.utf8.contains(0) else {
                throw Failure(.invalidArgument, "\(field.label) is too long or is not text.")
            }
        }
        return form
    }

    /// The answers that become settings.
    package static func settings(_ values: [String: String], of form: Wire.SignInForm) -> [String: String] {
        let secrets = Set(form.fields.filter { $0.kind == "secret" }.map(\.key))
        return values.filter { !secrets.contains($0.key) && !$0.value.isEmpty }
    }
}
