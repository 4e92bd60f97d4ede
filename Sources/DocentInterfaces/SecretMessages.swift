// The messages that contain secrets. Their bytes are overwritten after use.

extension AdministrationInterface.AddDomain.Parameters {
    /// It contains a password that is stored with the session.
    package static var hasSecrets: Bool { true }
}

extension AdministrationInterface.ChangeDomain.Parameters {
    /// It contains a password that is stored with the session.
    package static var hasSecrets: Bool { true }
}

extension AdministrationInterface.Login.Parameters {
    /// It contains a person's answers.
    package static var hasSecrets: Bool { true }
}

extension AdministrationInterface.Login.Reply {
    /// It contains what a person is shown once, such as the recovery phrase of a drive.
    package static var hasSecrets: Bool { true }
}

extension AdministrationInterface.PerformAction.Parameters {
    /// It may contain a secret of the provider, such as the code of an invitation.
    package static var hasSecrets: Bool { true }
}

extension AdministrationInterface.PerformAction.Reply {
    /// It may contain a secret of the provider, such as the code of an invitation.
    package static var hasSecrets: Bool { true }
}

extension FileProviderInterface.Perform.Parameters {
    /// It may contain a secret of the provider, such as the code of an invitation.
    package static var hasSecrets: Bool { true }
}

extension FileProviderInterface.Perform.Reply {
    /// It may contain a secret of the provider, such as the code of an invitation.
    package static var hasSecrets: Bool { true }
}

extension AdministrationInterface.ContinueLogin.Parameters {
    /// It contains a code in the address.
    package static var hasSecrets: Bool { true }
}

extension AdministrationInterface.AnswerLogin.Parameters {
    /// It contains, for example, a one-time code.
    package static var hasSecrets: Bool { true }
}

extension FileProviderInterface.AnswerAuthentication.Parameters {
    /// It contains, for example, a one-time code.
    package static var hasSecrets: Bool { true }
}

extension FileProviderInterface.SignIn.Parameters {
    /// It contains the secret of the domain.
    package static var hasSecrets: Bool { true }
}

extension FileProviderInterface.Authenticate.Parameters {
    /// It contains a person's answers.
    package static var hasSecrets: Bool { true }
}

extension FileProviderInterface.Authenticate.Reply {
    /// It contains the secret for future sign-ins.
    package static var hasSecrets: Bool { true }
}

extension FileProviderInterface.ContinueAuthentication.Parameters {
    /// It contains a code in the address.
    package static var hasSecrets: Bool { true }
}

extension FileProviderInterface.Keychain.Reply {
    /// It contains a stored secret.
    package static var hasSecrets: Bool { true }
}

extension FileProviderInterface.KeychainAnswered.Parameters {
    /// It contains the secret that was looked up.
    package static var hasSecrets: Bool { true }
}
