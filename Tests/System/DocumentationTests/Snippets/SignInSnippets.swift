import FileProvider

// The Swift of the articles "Signing in" and "Sharing secrets".

// snippet: signing in
final class PostboxProvider: ReplicatedFileProvider {
    private let postbox = Postbox()

    init(domain: FileProviderDomain, host: FileProviderHost) {}

    static var features: ProviderFeatures { [.signIn] }

    static var signInForms: [SignInForm] {
        [
            SignInForm(
                identifier: "account", title: "Account",
                fields: [
                    SignInField("url", label: "Address", kind: .url, value: "https://postbox.example"),
                    SignInField("password", label: "Password", kind: .secret, help: "The one of the web page."),
                ]),
            SignInForm(identifier: "browser", title: "In a browser", fields: [], browser: [.device]),
        ]
    }

    func authenticate(_ answers: SignInAnswers, interaction: SignInInteraction) async throws -> SignedIn {
        if let password = answers["password"] {
            let credential = Credential(secret: password)
            return SignedIn(credential: credential, displayName: try await signIn(credential))
        }
        let code = try await postbox.newCode()
        try await interaction.show(code: code, at: "https://postbox.example/code")
        let token = try await postbox.token(for: code)
        return SignedIn(credential: Credential(kind: .token, secret: token))
    }

    func signIn(_ credential: Credential) async throws -> String? { try await postbox.use(credential.secret) }

    func signOut() async { await postbox.forget() }
}
// end

/// What every provider has.
extension PostboxProvider {
    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        FileProviderItem(folder: identifier, parent: identifier, filename: "postbox")
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage { ItemPage(items: []) }
}

/// The service of the snippet.
actor Postbox {
    private var secret: String?

    func newCode() throws -> String { "ABCD" }
    func token(for code: String) throws -> String { code }
    func use(_ secret: String?) throws -> String? {
        self.secret = secret
        return nil
    }
    func forget() { secret = nil }
}

// snippet: questions
final class VaultProvider: ReplicatedFileProvider {
    init(domain: FileProviderDomain, host: FileProviderHost) {}

    static var features: ProviderFeatures { [.signIn] }

    private static let hostKey = SignInField("hostKey", label: "Is it the right key?", kind: .confirm)
    private static let code = SignInField("code", label: "One-time code", kind: .secret)

    static var signInForms: [SignInForm] {
        [
            SignInForm(
                identifier: "key", title: "With a private key",
                fields: [
                    SignInField("username", label: "User name"),
                    SignInField("privateKey", label: "Private key", kind: .secret, isMultiline: true),
                ],
                questions: [hostKey, code])
        ]
    }

    func authenticate(_ answers: SignInAnswers, interaction: SignInInteraction) async throws -> SignedIn {
        let vault = Vault()
        let fingerprint = try await vault.fingerprint()
        var question = Self.hostKey
        question.help = "The host vault.example has the key\n\(fingerprint)"
        guard try await interaction.ask(question) == "yes" else {
            throw FileProviderError(.notAuthenticated, "You did not accept the key of the host.")
        }
        var code = ""
        if await vault.wantsCode { code = try await interaction.ask(Self.code) }
        let token = try await vault.open(with: answers["privateKey"], code: code)
        return SignedIn(
            credential: Credential(kind: .token, username: answers["username"], secret: token),
            settings: ["username": answers["username"] ?? "", "hostKey": fingerprint])
    }
}
// end

/// What every provider has.
extension VaultProvider {
    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        FileProviderItem(folder: identifier, parent: identifier, filename: "vault")
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage { ItemPage(items: []) }

    func signIn(_ credential: Credential) async throws -> String? { nil }
}

/// The service of the snippet.
actor Vault {
    var wantsCode: Bool { true }

    func fingerprint() throws -> String { "SHA256:abc" }
    func open(with key: String?, code: String) throws -> String { key ?? code }
}

// snippet: sharing secrets
func sharedToken(_ host: FileProviderHost) async throws -> [UInt8] {
    if let token = try await host.keychain.secret(account: "token", domain: "") { return token }
    let token = Array("made once".utf8)
    try await host.keychain.store(token, account: "token", domain: "", label: "Postbox token")
    return token
}
// end
