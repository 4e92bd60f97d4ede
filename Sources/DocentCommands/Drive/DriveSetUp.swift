import CommandConsole
import DocentInterfaces
import Documents
import FoundationEssentials
import Glibc
import SignInConversation
import Synchronization
import Varlink

/// Brings this machine into a drive: enables the provider if it is not, adds the account, and signs in with one of the
/// provider's forms. If that fails, the account is gone again.
struct DriveSetUp: Sendable {
    /// The provider of drives.
    static let provider = "org.docent.Drive"

    let place: DriveStorePlace
    let options: DriveAccountOptions
    /// The form of the provider: `create`, `join` or `recover`.
    let form: String
    /// Agrees to what would be asked otherwise.
    let yes: Bool
    /// Secrets that are known already, by their key in the form.
    var secrets: [String: String] = [:]
    /// Receives what the provider shows; true: it is not shown on standard error then.
    var message: (@Sendable (String) throws -> Bool)?
    /// Answers a question of the provider; nil: a person is asked.
    var answer: (@Sendable (Wire.SignInField) -> String?)?

    private let administrator = DocumentsClient.administrator()

    init(_ place: DriveStorePlace, _ options: DriveAccountOptions, form: String, yes: Bool) {
        self.place = place.absolute
        self.options = options
        self.form = form
        self.yes = yes
    }

    /// The account, for people.
    private var account: AccountName { AccountName(provider: "Drive", domain: name) }
    /// The account's name on this machine.
    var name: String { options.name ?? place.standardName }

    /// Does everything.
    ///
    /// - Throws: ``DocumentsError``.
    func run() async throws -> (account: AccountName, reply: AdministrationInterface.Login.Reply) {
        try SecretDescriptor.keepApart(options.secretDescriptor)
        // A crash leaves no copy of a secret.
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        try await enable()
        let isAdded = try await addFolder()
        do {
            return (account, try await signIn())
        } catch {
            let error = error
            if isAdded { await removeAgain() }
            throw error
        }
    }

    private func enable() async throws {
        let consent = try await administrator.consent(Self.provider)
        if consent.enabled, consent.state == "ready" { return }
        if !yes { StandardError.write(ConsentText.text(consent)) }
        try Confirmation.require("Enable \(SafeText.escaped(consent.displayName))?", isGiven: yes)
        _ = try await administrator.call(
            AdministrationInterface.EnableProvider.self, .init(provider: consent.provider, digest: consent.digest))
    }

    /// Adds the account of a folder; that of an address is added by the sign-in.
    ///
    /// - Returns: Whether it was added.
    private func addFolder() async throws -> Bool {
        let known = try await administrator.call(
            AdministrationInterface.ListDomains.self, .init(provider: Self.provider)
        ).value.domains.first { $0.identifier == name }
        if let known {
            // An account that was added before, or left behind by an earlier try that was killed, is used.
            guard known.credential == nil, case .folder(let path) = place, known.folder == path else {
                throw DocumentsError(
                    .conflict, "This machine has an account \(account) already.",
                    suggestion: "Choose another name with --name.")
            }
            return false
        }
        guard case .folder(let path) = place else { return false }
        _ = try await administrator.call(
            AdministrationInterface.AddDomain.self,
            .init(
                domain: Wire.Domain(
                    provider: Self.provider, identifier: name, displayName: name, folder: path), unchecked: true))
        return true
    }

    private func removeAgain() async {
        let (administrator, name) = (administrator, name)
        // Also when this command was interrupted.
        await Task {
            _ = try? await administrator.call(
                AdministrationInterface.RemoveDomain.self,
                .init(provider: Self.provider, identifier: name, force: true))
        }.value
    }

    private func signIn() async throws -> AdministrationInterface.Login.Reply {
        let prepared = try await administrator.call(
            AdministrationInterface.PrepareLogin.self,
            .init(provider: Self.provider, domain: name, sealedFile: options.sealedFile ? true : nil)
        ).value
        guard let form = prepared.forms.first(where: { $0.identifier == form }) else {
            throw DocumentsError(
                .notSupported, "The installed provider of drives has no form \"\(form)\".",
                suggestion: "Restart the daemon after an update: docent daemon stop.")
        }
        if options.session {
            StandardError.write(LoginText.session)
        } else {
            guard prepared.storage.isWritable, prepared.storage.rung != "none" else {
                throw LoginText.noStorage(prepared.storage)
            }
            StandardError.write(LoginText.storage(prepared.storage))
        }
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"]
        let values = try values(form, environment, home: home)
        return try await LoginAttempt(
            administrator: administrator,
            parameters: .init(
                provider: Self.provider, domain: name, form: form.identifier, values: values,
                attempt: UUID().uuidString, displayName: name, sealedFile: options.sealedFile ? true : nil,
                session: options.session ? true : nil),
            listens: false,
            steps: LoginSteps(environment: environment, opensBrowser: false, message: message),
            questions: LoginQuestions(
                account: account, given: [:], files: [:],
                source: SecretSource.forQuestions(
                    options.secrets, environment: environment, hasTerminal: FormConversation.hasTerminal),
                home: home, automatic: answer)
        ).run()
    }

    private func values(
        _ form: Wire.SignInForm, _ environment: [String: String], home: String?
    ) throws -> [String: String] {
        var values = secrets
        values["device"] = options.machine ?? Self.hostName
        var fields = form.fields.filter { FormAnswers.isSecret($0) && secrets[$0.key] == nil }
        if case .address(let address) = place {
            values["url"] = address
            values["endpoint"] = options.endpoint
            values["region"] = options.region
            values["certificateAuthorityData"] = try options.certificateAuthority.map(CertificateFile.text)
        } else {
            fields.removeAll { ["accessKey", "secretKey"].contains($0.key) }
        }
        guard !fields.isEmpty else { return values }
        let source = SecretSource.choose(
            options.secrets, environment: environment, hasTerminal: FormConversation.hasTerminal)
        let read = try source.read(fields, account: account, home: home)
        if let missing = fields.first(where: { read[$0.key]?.isEmpty ?? true }) {
            throw DocumentsError(
                .invalidArgument, "This is missing: \(missing.label).",
                suggestion: "Give secrets with --secret-fd, --askpass or --password-stdin, or on a terminal.")
        }
        return values.merging(read) { $1 }
    }

    /// The name of this machine.
    private static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "machine" }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.isEmpty ? "machine" : String(name.prefix(64))
    }
}
