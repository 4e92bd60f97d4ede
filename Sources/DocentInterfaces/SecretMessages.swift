// The messages that have secrets in them: their bytes are overwritten after use.

extension AdministrationInterface.AddDomain.Parameters {
    /// A password that is kept with the session.
    package static var hasSecrets: Bool { true }
}

extension AdministrationInterface.ChangeDomain.Parameters {
    /// The same.
    package static var hasSecrets: Bool { true }
}

extension AdministrationInterface.Login.Parameters {
    /// What a person answered.
    package static var hasSecrets: Bool { true }
}

extension AdministrationInterface.ContinueLogin.Parameters {
    /// A code in the address.
    package static var hasSecrets: Bool { true }
}

extension AdministrationInterface.AnswerLogin.Parameters {
    /// A one-time code, for example.
    package static var hasSecrets: Bool { true }
}

extension FileProviderInterface.AnswerAuthentication.Parameters {
    /// The same.
    package static var hasSecrets: Bool { true }
}

extension FileProviderInterface.SignIn.Parameters {
    /// The secret of the domain.
    package static var hasSecrets: Bool { true }
}

extension FileProviderInterface.Authenticate.Parameters {
    /// What a person answered.
    package static var hasSecrets: Bool { true }
}

extension FileProviderInterface.Authenticate.Reply {
    /// What to sign in with from now on.
    package static var hasSecrets: Bool { true }
}

extension FileProviderInterface.ContinueAuthentication.Parameters {
    /// A code in the address.
    package static var hasSecrets: Bool { true }
}

extension FileProviderInterface.Keychain.Reply {
    /// What is stored.
    package static var hasSecrets: Bool { true }
}

extension FileProviderInterface.KeychainAnswered.Parameters {
    /// What was looked up.
    package static var hasSecrets: Bool { true }
}
