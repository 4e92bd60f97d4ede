import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import FoundationEssentials
import Glibc
import SignInConversation
import Varlink

struct LoginCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Sign in to an account of a provider.",
        discussion: """
            Asks for what the provider needs, and first says where the secret will be kept: in the keyring of your \
            session if there is one. The service is asked before anything is kept; if it refuses, the command says \
            why, exits with 4 and keeps nothing. What waited for the account continues. DOMAIN need not exist yet; \
            without it, it is the provider's default account.

            A secret is typed, read from a descriptor (--secret-fd) or standard input (--password-stdin), or asked for \
            by a program (--askpass; without a terminal also DOCENT_ASKPASS and SSH_ASKPASS). It is never an argument. \
            --set-file gives any answer as a file, above all a private key.

            A provider may ask questions during the sign-in: whether the key of a host is right, or for a one-time \
            code. --set and --set-file answer such a question by its key. Other questions are asked on the terminal or \
            by --askpass, or read from the next line of --password-stdin. If nobody can be asked, the question stays \
            unanswered. `docent provider forms` shows what a provider asks for.

            EXAMPLES
              docent login webdav@work
              docent login webdav@work --url https://example.org/dav/ --username ada
              docent login webdav@work --secret-fd 3 3< <(pass show work/dav)
              docent login webdav@work --form browser --device
              docent login sftp@work --set-file privateKey=~/.ssh/id_ed25519
            """)

    @Argument(
        help: "The account: PROVIDER[@DOMAIN].", completion: .custom(AccountCompletion.accounts),
        transform: AccountName.parse)
    var account: AccountName

    @OptionGroup var options: SignInOptions

    @Flag(
        name: .long,
        help:
            """
            If there is no keyring: keep the secret in a file whose key is beside it, so that whoever reads your files \
            can read it.
            """
    )
    var sealedFile = false

    @Flag(
        name: .long, help: "Keep the secret only in the daemon's memory; it is gone with the daemon.")
    var session = false

    @Flag(name: .long, help: "Open no browser; print the address instead.")
    var noBrowser = false

    @Flag(name: .long, help: "Sign in with a code that is typed into a browser on any device.")
    var device = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    /// How many times a person is asked in total.
    private static let mostTries = 3

    func validate() throws {
        guard !sealedFile || !session else {
            throw ValidationError("Choose one of --sealed-file and --session.")
        }
    }

    func run() async throws { try tell(try await signIn()) }

    /// Signs in. Questions go to standard error, and nothing to standard output.
    func signIn() async throws -> AdministrationInterface.Login.Reply {
        try SecretDescriptor.keepApart(options.secretDescriptor)
        Self.leaveNoCore()
        let environment = ProcessInfo.processInfo.environment
        let given = options.given
        let home = environment["HOME"]
        let administrator = DocumentsClient.administrator()
        let prepared = try await administrator.call(
            AdministrationInterface.PrepareLogin.self,
            .init(provider: account.provider, domain: account.domain, sealedFile: sealedFile ? true : nil)
        ).value
        let form = try form(prepared.forms)
        let authority = try options.certificateAuthority.map(CertificateFile.text)
        let files = try fileAnswers(form, home: home)
        try tellStorage(prepared.storage)

        let source = SecretSource.choose(
            options.secrets, environment: environment, hasTerminal: FormConversation.hasTerminal)
        var previous: [String: String] = [:]
        for attempt in 1... {
            let answers = try answers(form, given: given, files: files, previous: previous, source: source, home: home)
            let questions = LoginQuestions(
                account: account, given: given, files: options.files.filter { files[$0.key] == nil },
                source: SecretSource.forQuestions(
                    options.secrets, environment: environment, hasTerminal: FormConversation.hasTerminal), home: home)
            do {
                return try await sign(in: administrator, form, answers, authority, environment, questions)
            } catch let error as DocumentsError where error.code == .notAuthenticated {
                // Only typed secrets are asked for again: they may have been mistyped.
                guard source.isTerminal, !answers.secrets.isEmpty, !questions.wasDeclined, attempt < Self.mostTries
                else { throw questions.explain(error) }
                StandardError.write(ErrorReport.text(error, isVerbose: report.verbose))
                previous = answers.values
            }
        }
        throw DocumentsError(.notAuthenticated, "The sign-in was refused.")
    }

    /// The form to use. If several fit, a person is asked; without a terminal, the first is used.
    private func form(_ forms: [Wire.SignInForm]) throws -> Wire.SignInForm {
        let keys = Set(options.given.keys).union(options.files.keys)
        if let form = try FormChoice.find(forms, named: options.form, given: keys, device: device) { return form }
        let fitting = FormChoice.fitting(forms, given: keys, device: device)
        return FormConversation.hasTerminal ? try FormConversation.choose(fitting) : fitting[0]
    }

    /// The answers to the form's fields from files. Each file is read once, because a pipe can be read only once.
    private func fileAnswers(_ form: Wire.SignInForm, home: String?) throws -> [String: String] {
        var answers: [String: String] = [:]
        for field in form.fields {
            guard let path = options.files[field.key] else { continue }
            answers[field.key] = try AnswerFile.text(path, for: field, home: home)
        }
        return answers
    }

    private func tellStorage(_ storage: Wire.CredentialStorage) throws(DocumentsError) {
        if session { return StandardError.write(LoginText.session) }
        guard storage.isWritable, storage.rung != "none" else { throw LoginText.noStorage(storage) }
        StandardError.write(LoginText.storage(storage))
    }

    private func answers(
        _ form: Wire.SignInForm, given: [String: String], files: [String: String], previous: [String: String],
        source: SecretSource, home: String?
    ) throws -> FormAnswers {
        var answers = try FormAnswers(form, given: given, files: files)
        if FormConversation.hasTerminal {
            try FormConversation.fill(&answers, previous: previous, home: home)
        } else {
            answers.takeDefaults()
        }
        if let missing = answers.missing(hasSecrets: source != .nowhere) { throw missing }
        let secrets = try source.read(answers.secrets, account: account, home: home)
        for field in answers.secrets { answers.take(secrets[field.key] ?? "", for: field) }
        return answers
    }

    private func sign(
        in administrator: DocumentsClient, _ form: Wire.SignInForm, _ answers: FormAnswers,
        _ authority: String?, _ environment: [String: String], _ questions: LoginQuestions
    ) async throws -> AdministrationInterface.Login.Reply {
        var values = answers.values
        if let authority { values["certificateAuthorityData"] = authority }
        let hasBrowser = !noBrowser && Browser.isLikely(environment)
        let usesBrowser = FormChoice.usesBrowser(
            form, device: device, hasBrowser: hasBrowser || noBrowser)
        return try await LoginAttempt(
            administrator: administrator,
            parameters: .init(
                provider: account.provider, domain: account.domain, form: form.identifier,
                values: values,
                attempt: UUID().uuidString, displayName: options.displayName,
                sealedFile: sealedFile ? true : nil,
                session: session ? true : nil),
            listens: usesBrowser, steps: LoginSteps(environment: environment, opensBrowser: !noBrowser),
            questions: questions
        ).run()
    }

    private func tell(_ reply: AdministrationInterface.Login.Reply) throws {
        guard !format.json else { return try StandardOutput.write(JSONValue(login: reply).pretty) }
        try StandardOutput.write(LoginText.done(account, reply.domain, reply.storage))
        guard let domain = reply.domain, domain.state ?? "ready" != "ready" else { return }
        StandardError.write(
            "docent: \(SafeText.escaped("\(account) is \(DomainText.state(domain))"))\n")
    }

    /// Disables core dumps, so that a crash leaves no copy of a secret.
    private static func leaveNoCore() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }
}
