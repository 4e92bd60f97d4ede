import FileProvider
import Synchronization

/// A provider with several ways of signing in; its calls are recorded under the setting `log`.
final class FakeSignIn: ReplicatedFileProvider {
    static var features: ProviderFeatures { [.signIn] }

    static let account = SignInForm(
        identifier: "account", title: "Account", help: "Whom the service knows.",
        fields: [
            SignInField("url", label: "Address", kind: .url, value: "https://service.example"),
            SignInField(
                "region", label: "Region",
                kind: .choice([SignInChoice("eu", label: "Europe"), SignInChoice("us", label: "America")]),
                value: "eu"),
            SignInField("log", label: "Log", isOptional: true),
            SignInField("password", label: "Password", kind: .secret, value: "never a default", isOptional: false),
        ])
    static let browser = SignInForm(
        identifier: "browser", title: "Browser", fields: [SignInField("log", label: "Log", isOptional: true)],
        browser: [.loopback, .device])

    static let questions = SignInForm(
        identifier: "questions", title: "Questions", fields: [SignInField("log", label: "Log", isOptional: true)],
        questions: [hostKey, code])
    private static let hostKey = SignInField("hostKey", label: "Is it the right key?", kind: .confirm)
    private static let code = SignInField("code", label: "Code", kind: .secret, isMultiline: true)

    static var signInForms: [SignInForm] { [account, browser, questions] }

    static let events = Mutex<[String: [String]]>([:])

    private let domain: FileProviderDomain
    private let host: FileProviderHost
    private let signedIn = Mutex<Credential?>(nil)

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        self.domain = domain
        self.host = host
        note("init \(domain.identifier)")
    }

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        switch identifier.rawValue {
        case "save": try await host.save(Credential(kind: .oauth, username: "renewed", secret: "hush-renewed-31"))
        default: break
        }
        var item = FileProviderItem(folder: identifier, parent: .rootContainer, filename: "who")
        item.thumbnail = signedIn.withLock { $0?.username }
        return item
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage { ItemPage(items: []) }

    func authenticate(_ answers: SignInAnswers, interaction: SignInInteraction) async throws -> SignedIn {
        note("authenticate \(answers) at \(domain.settings["url"] ?? "nowhere")")
        if answers.form.identifier == "questions" {
            guard try await interaction.ask(Self.hostKey) == "yes" else {
                throw FileProviderError(.notAuthenticated, "The key of the host was not accepted.")
            }
            return SignedIn(credential: Credential(kind: .token, secret: try await interaction.ask(Self.code)))
        }
        guard answers.form.identifier == "browser" else {
            guard answers["password"] == "hush-right-52" else {
                throw FileProviderError(.notAuthenticated, "The service does not know this password.")
            }
            try await host.save(Credential(secret: "hush-of-a-trial-9"))
            return SignedIn(
                credential: Credential(username: "anna", secret: answers["password"]),
                displayName: "Anna of \(answers["region"] ?? "")")
        }
        try await interaction.message("A moment.")
        guard let redirect = interaction.redirectURL else {
            try await interaction.show(code: "ABCD-EFGH", at: "https://id.example/device")
            return SignedIn(
                credential: Credential(kind: .oauth, secret: "hush-by-code-17"), settings: ["account": "by code"])
        }
        try await interaction.open("https://id.example/?redirect=\(redirect)")
        let url = try await interaction.redirected()
        return SignedIn(credential: Credential(kind: .oauth, secret: "hush-by-redirect-23"), displayName: url)
    }

    func signIn(_ credential: Credential) async throws -> String? {
        note("signIn \(credential.username ?? "")")
        signedIn.withLock { $0 = credential }
        return credential.username
    }

    func signOut() async {
        note("signOut \(domain.identifier)")
        signedIn.withLock { $0 = nil }
    }

    static func events(_ log: String) -> [String] { events.withLock { $0[log] ?? [] } }

    private func note(_ event: String) {
        guard let log = domain.settings["log"] else { return }
        Self.events.withLock { $0[log, default: []].append(event) }
    }
}
