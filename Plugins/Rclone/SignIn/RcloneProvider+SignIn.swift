package import FileProvider

extension RcloneProvider {
    /// One form takes a configuration made by rclone itself, the other the parameters of a back end.
    package static var signInForms: [SignInForm] { [remoteForm, serviceForm] }

    private static let unprotected = SignInField(
        RemoteAccount.consentSetting, label: "Without TLS",
        kind: .choice([
            SignInChoice("no", label: "Sign in only where the secret is protected"),
            SignInChoice(RemoteAccount.consent, label: "Send the secret unprotected"),
        ]), value: "no",
        help: "Whether a secret may go to another machine by http, or by ftp without TLS.", isOptional: true)

    private static let program = SignInField(
        "program", label: "Program", help: "The absolute path of another rclone; the manifest must name it as well.",
        isOptional: true)

    private static let remoteForm = SignInForm(
        identifier: "remote", title: "An rclone remote",
        help:
            "Set it up with `rclone config`; `rclone config dump` prints what is asked for here. Only what the "
            + "remote needs is kept, in your keyring.",
        fields: [
            SignInField("remote", label: "Remote", help: "NAME:PATH; the path may be empty."),
            SignInField(
                "configuration", label: "Configuration", kind: .secret,
                help: "The output of `rclone config dump`, or the sections of rclone.conf."),
            program, unprotected,
        ])

    private static let serviceForm = SignInForm(
        identifier: "service", title: "A service, by its parameters",
        help: "As rclone's documentation of the back end names them.",
        fields: [
            SignInField("backend", label: "Back end", help: "For example s3, sftp, webdav."),
            SignInField(
                "parameters", label: "Parameters", help: "KEY=VALUE, separated by commas; double a comma in a value.",
                isOptional: true),
            SignInField("path", label: "Path", help: "For example the bucket.", isOptional: true),
            SignInField(
                "secrets", label: "Secret parameters", kind: .secret,
                help: "KEY=VALUE, separated by commas; passwords in plain text."),
            program, unprotected,
        ])

    /// Tries the answers with the service.
    package func authenticate(_ answers: SignInAnswers, interaction: SignInInteraction) async throws -> SignedIn {
        let configuration: RemoteConfiguration
        if answers.form.identifier == Self.serviceForm.identifier {
            var secrets = RemoteConfiguration()
            secrets.sections = [
                RemoteConfiguration.onlySection: try RemoteConfiguration.parameters(answers["secrets"] ?? "")
            ]
            configuration = secrets
        } else {
            configuration = try RemoteConfiguration(text: answers["configuration"] ?? "")
        }
        var account = try RemoteAccount(
            settings: self.settings.merging(answers.settings) { _, answer in answer },
            secret: configuration.credentialText)
        guard account.isComplete else {
            throw FileProviderError(
                .invalidArgument,
                "The configuration has no section with the name before the colon of \"remote\". It has: "
                    + "\(account.configuration.sections.keys.sorted().joined(separator: ", ")).")
        }
        account.configuration = try account.configuration.needed(for: account.root)
        try account.requireProtection(answers[RemoteAccount.consentSetting], .invalidArgument)
        var settings = answers.settings
        // Consent is kept only for a remote that needs it. The host removes empty settings.
        if account.unprotectedParameter == nil { settings[RemoteAccount.consentSetting] = "" }
        // An answer replaces the earlier setting. Without an answer the setting stays.
        let program = try Self.program(answers["program"] ?? self.settings["program"])
        await session.use(account, service: .of(program: program))
        _ = try await entries(in: .root)
        // The credential includes tokens that rclone has renewed meanwhile: the service may accept an old one only
        // once.
        let credential = Credential(kind: .oauth, secret: try await session.configuration.credentialText)
        return SignedIn(credential: credential, displayName: account.root, settings: settings)
    }
}
