import DocentInterfaces
import Synchronization

/// Signing in and out.
enum SignInCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "signin.forms", level: 1, needs: [.authenticate], requirements: [.interface, .credentials],
            "There is at least one form, and all forms and fields have unique names and known kinds."
        ) { try await forms($0) },
        ValidationCase(
            "signin.refused", level: 3, needs: [.signIn], requirements: [.interface, .credentials],
            "A wrong credential is refused, and the secret is never repeated."
        ) { try await refused($0) },
        ValidationCase(
            "signin.signOut", level: 3, needs: [.signIn], requirements: [.interface, .credentials],
            "After SignOut the credential is forgotten, and signing in again works."
        ) { try await signOut($0) },
    ]

    private static func forms(_ context: CaseContext) async throws {
        let forms = try await context.call(FileProviderInterface.SignInForms.self, .init(), "SignInForms").forms
        context.expect(!forms.isEmpty, did: "SignInForms", expected: "at least one form", got: "none")
        context.expect(
            Set(forms.map(\.identifier)).count == forms.count, did: "SignInForms",
            expected: "an identifier for each form",
            got: PlainText.names(forms.map(\.identifier)))
        for form in forms {
            let keys = form.fields.map(\.key)
            let kinds = form.fields.map(\.kind)
            let did = "SignInForms, the form \(PlainText.quoted(form.identifier))"
            context.expect(
                Set(keys).count == keys.count && !keys.contains(""), did: did, expected: "a key for each field",
                got: PlainText.names(keys))
            context.expect(
                kinds.allSatisfy { ["text", "url", "secret", "choice"].contains($0) }, did: did,
                expected: "fields of the kinds text, url, secret and choice", got: PlainText.names(kinds))
            context.expect(
                !form.title.isEmpty && form.fields.allSatisfy { !$0.label.isEmpty }, did: did,
                expected: "a title, and a label for each field", got: "an empty one")
            for field in form.fields where field.kind == "choice" {
                context.expect(
                    field.choices?.isEmpty == false, did: did, expected: "choices for \(PlainText.quoted(field.key))",
                    got: "none")
            }
            for field in form.fields where field.kind == "secret" {
                context.expect(
                    field.value == nil, did: did, expected: "no default for a secret", got: "one",
                    requirement: .credentials)
            }
        }
    }

    private static func signIn(
        _ context: CaseContext, _ username: String?, _ secret: String?, kind: String = "password", _ did: String
    ) async throws -> String? {
        try await context.call(
            FileProviderInterface.SignIn.self,
            .init(domain: context.domain, kind: kind, username: username, secret: secret), did
        ).displayName
    }

    private static func refused(_ context: CaseContext) async throws {
        let secret = "wrong-" + context.random { $0.word(24) }
        let log = Mutex("")
        let session = try context.session
        let listening = Task {
            _ = try await session.listen(
                FileProviderInterface.Events.self, .init(), did: "Events", patience: .milliseconds(400)
            ) { event in
                log.withLock { if $0.utf8.count < 1 << 20 { $0 += event.message ?? "" } }
                return true
            }
        }
        let did = "SignIn with a wrong name and secret"
        let failure = try await context.expectRefusal(
            [.notAuthenticated, .serverUnreachable, .busy], did: did, requirement: .credentials
        ) {
            try await signIn(context, "nobody-" + context.random { $0.word(8) }, secret, did)
        }
        if let failure {
            let text = failure.message + failure.causes.map(\.message).joined()
            context.expect(
                !text.contains(secret), did: did, expected: "an error that does not repeat the secret",
                got: "the secret", requirement: .credentials)
        }
        _ = try? await listening.value
        context.expect(
            !log.withLock { $0.contains(secret) }, did: did, expected: "no line of the log that repeats the secret",
            got: "the secret", requirement: .credentials)
        if context.subject.credential != nil {
            try await context.signIn(session)
            _ = try await context.list(CaseContext.root)
        }
    }

    private static func signOut(_ context: CaseContext) async throws {
        guard let good = context.subject.credential else { try context.skip("the run has no credential") }
        let name = try await signIn(
            context, good.username, good.secret, kind: good.kind, "SignIn with the credential of the run")
        _ = try await context.call(FileProviderInterface.SignOut.self, .init(domain: context.domain), "SignOut")
        let did = "SignIn without anything, after SignOut"
        do {
            let left = try await signIn(context, nil, nil, did)
            context.expect(
                left == nil || left != name, did: did, expected: "no account, or NotAuthenticated",
                got: PlainText.quoted(left ?? ""), requirement: .signingOut)
        } catch let problem as CallProblem {
            if problem.code != .notAuthenticated {
                context.report(problem, expected: "no account, or NotAuthenticated", requirement: .signingOut)
            }
        }
        let again = try await signIn(
            context, good.username, good.secret, kind: good.kind, "SignIn again with the credential of the run")
        context.expect(
            again == name, did: "SignIn again", expected: PlainText.quoted(name ?? "no name"),
            got: PlainText.quoted(again ?? "no name"))
        _ = try await context.list(CaseContext.root)
    }
}
