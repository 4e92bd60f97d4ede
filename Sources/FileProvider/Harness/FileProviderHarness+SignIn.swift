import DocentInterfaces
import Varlink

extension FileProviderHarness {
    /// SignInForms, Authenticate, ContinueAuthentication and AnswerAuthentication.
    func addSignIn(to table: inout MethodTable) {
        let attempts = SignInAttempts()
        table.add(Interface.SignInForms.self) { [service] _, _ in
            Reply(.init(forms: try service.signInForms().map(Wire.SignInForm.init)))
        }
        table.addStream(Interface.Authenticate.self, requiresMore: false) { [service] parameters, call, sink in
            let interaction = try Self.interaction(
                redirect: parameters.redirect, answersQuestions: call.wantsMore && parameters.answersQuestions == true
            ) { step in
                guard call.wantsMore else {
                    if case .message = step { return }
                    throw FileProviderError(
                        .invalidArgument, "This form has several steps, but the caller accepts only one reply.")
                }
                try await sink.send(Reply(.init(step: Wire.SignInStep(step))))
            }
            return try await attempts.run(parameters.attempt, interaction) {
                let domain = FileProviderDomain(parameters.domain)
                let result = try await service.authenticate(
                    domain, form: parameters.form, values: parameters.values, interaction: interaction)
                return Reply(
                    .init(
                        kind: result.credential.kind.rawValue, username: result.credential.username,
                        secret: result.credential.secret, displayName: result.displayName, settings: result.settings))
            }
        }
        table.add(Interface.ContinueAuthentication.self, changesState: true) { parameters, _ in
            try attempts.continue(parameters.attempt, with: parameters.url)
            return Reply(.init())
        }
        table.add(Interface.AnswerAuthentication.self, changesState: true) { parameters, _ in
            try attempts.answer(parameters.attempt, parameters.number, with: parameters.answer)
            return Reply(.init())
        }
    }

    private static func interaction(
        redirect: String?, answersQuestions: Bool, _ tell: @escaping @Sendable (SignInStep) async throws -> Void
    ) throws -> SignInInteraction {
        if let redirect, !["http://127.0.0.1:", "http://[::1]:"].contains(where: redirect.hasPrefix) {
            throw FileProviderError(.invalidArgument, "A browser can only be redirected to an address on this machine.")
        }
        return SignInInteraction(redirectURL: redirect, answersQuestions: answersQuestions, tell: tell)
    }
}
