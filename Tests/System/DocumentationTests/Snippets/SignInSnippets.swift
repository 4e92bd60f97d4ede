import FileProvider

// The Swift of the articles “Signing in” and “Sharing secrets”.

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

// snippet: sharing secrets
func sharedToken(_ host: FileProviderHost) async throws -> [UInt8] {
    if let token = try await host.keychain.secret(account: "token", domain: "") { return token }
    let token = Array("made once".utf8)
    try await host.keychain.store(token, account: "token", domain: "", label: "Postbox token")
    return token
}
// end
