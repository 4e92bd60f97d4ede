extension ReplicatedFileProvider {
    /// A user name and a password.
    public static var signInForms: [SignInForm] { [.password] }

    /// Makes a credential from the answers `username` and `password` or `token`, and passes it to ``signIn(_:)``.
    public func authenticate(_ answers: SignInAnswers, interaction: SignInInteraction) async throws -> SignedIn {
        var credential = Credential(username: answers["username"], secret: answers["password"])
        if credential.secret == nil, let token = answers["token"] {
            credential.kind = .token
            credential.secret = token
        }
        guard credential.secret != nil else {
            throw FileProviderError(
                .invalidArgument,
                "The form has neither \"password\" nor \"token\"; the provider has to authenticate itself.")
        }
        return SignedIn(credential: credential, displayName: try await signIn(credential))
    }
}
