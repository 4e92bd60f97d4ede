import DocentInterfaces
import ExtensionHosting
import ExtensionManifest
import FoundationEssentials
import HostCore
import Keyring
import RemoteDocuments
import Rights
import Varlink

/// One attempt to sign in with a person's answers. It stores nothing, whatever the outcome.
struct LoginTrial: Sendable {
    private let service: LoginService
    private let provider: KnownProvider
    private let key: DomainKey
    private let known: ProviderDomain?

    init(_ service: LoginService, _ provider: KnownProvider, _ key: DomainKey, _ known: ProviderDomain?) {
        self.service = service
        self.provider = provider
        self.key = key
        self.known = known
    }

    /// Tries to sign in at the service.
    ///
    /// - Throws: ``Failure`` `NotAuthenticated` with the service's message.
    func run(
        _ given: AdministrationInterface.Login.Parameters, _ step: (Wire.SignInStep) async throws -> Void
    ) async throws -> SignInResult {
        if let redirect = given.redirect, !LoginAttempts.isLoopback(redirect) {
            throw Failure(.invalidArgument, "A browser can only be sent back to an address of this machine.")
        }
        let connection = try await service.domains.supervisor.connection(provider, .fileProvider)
        let forms = try await SignInForms(connection)
        let form = try forms.form(given.form, answering: given.values)
        let answered = try DomainSettings.merged(
            known?.settings ?? [:], with: SignInForms.settings(given.values, of: form))
        do {
            guard forms.asksExtension else { return try await sign(given.values, answered, connection) }
            return try await authenticate(given, form, answered, connection, step)
        } catch {
            var failure = FailureMapping.failure(error)
            // Suggesting the login command makes no sense while it is running.
            if failure.asksForSignIn { failure.suggestion = failure.suggestion ?? "Try it again." }
            throw failure
        }
    }

    // MARK: By the extension

    private func authenticate(
        _ given: AdministrationInterface.Login.Parameters, _ form: Wire.SignInForm, _ answered: [String: String],
        _ connection: ExtensionConnection, _ step: (Wire.SignInStep) async throws -> Void
    ) async throws -> SignInResult {
        // The form belongs to the extension, but the trusted certificate authority has to be known before it connects.
        var values = given.values
        var settings = known?.settings ?? [:]
        if let authority = values.removeValue(forKey: DomainSettings.certificateAuthority) {
            settings[DomainSettings.certificateAuthority] = authority
        }
        let domain = candidate(settings)
        let parameters = FileProviderInterface.Authenticate.Parameters(
            domain: service.domains.supervisor.told(domain, of: provider), form: form.identifier,
            values: values, attempt: given.attempt, redirect: given.redirect,
            answersQuestions: given.answersQuestions)
        let watch = connection.progressWatch(
            patience: form.browser?.isEmpty == false ? LoginService.browserPatience : nil)
        let reply = try await service.attempts.run(given.attempt, connection, watch) {
            let messages = SignInMessages()
            async let last = Self.call(connection, parameters, watch, messages)
            try await messages.forEach { one in
                if one.kind == "question" { try await ask(one, given, step) } else { try await step(one) }
            }
            return try await last
        }
        return try SignInResult(reply, settings: answered, provider: key.provider)
    }

    private static func call(
        _ connection: ExtensionConnection, _ parameters: FileProviderInterface.Authenticate.Parameters,
        _ watch: ProgressWatch, _ messages: SignInMessages
    ) async throws -> FileProviderInterface.Authenticate.Reply {
        defer { messages.finish() }
        return try await connection.callWithProgress(
            FileProviderInterface.Authenticate.self, parameters, descriptors: .init(), watch: watch
        ) { reply in
            if let step = reply.step { messages.add(step) }
        }.value
    }

    private func ask(
        _ asked: Wire.SignInStep, _ given: AdministrationInterface.Login.Parameters,
        _ step: (Wire.SignInStep) async throws -> Void
    ) async throws {
        let question = try SignInQuestion(asked, of: key.provider, now: Date().timeIntervalSince1970)
        try service.attempts.note(question, of: given.attempt)
        if given.answersQuestions == true { return try await step(question.step) }
        // Its client cannot answer questions.
        try await service.attempts.answer(given.attempt, question.number, nil)
    }

    // MARK: By our own form

    // The extension gets the domain as it would become, and the actual state again if the attempt fails.
    private func sign(
        _ values: [String: String], _ answered: [String: String], _ connection: ExtensionConnection
    ) async throws -> SignInResult {
        guard let username = values["username"], let password = values["password"] else {
            throw Failure(.invalidArgument, "A user name and a password are needed.")
        }
        let settings = answered.filter { $0.key != "username" }
        var trial = provider
        trial.tried = candidate(settings)
        await service.domains.supervisor.introduceAgain(trial)
        do {
            let live = try await service.domains.supervisor.connection(trial, .fileProvider)
            _ = try await live.call(
                FileProviderInterface.SignIn.self,
                .init(domain: key.domain, kind: "password", username: username, secret: password))
        } catch {
            await service.domains.access.signIns.forget(key)
            await service.domains.supervisor.introduceAgain(provider)
            throw error
        }
        return SignInResult(kind: .password, username: username, secret: Secret(password), settings: settings)
    }

    private func candidate(_ settings: [String: String]) -> ProviderDomain {
        ProviderDomain(
            provider: key.provider, identifier: key.domain,
            displayName: known?.displayName ?? (key.domain.isEmpty ? provider.description.displayName : key.domain),
            folderPath: known?.folderPath, settings: settings)
    }
}
