package import FileProvider

extension RcloneProvider {
    /// With the configuration that rclone itself made, or by the parameters of a back end.
    package static var signInForms: [SignInForm] { [remoteForm, serviceForm] }

    private static let remoteForm = SignInForm(
        identifier: "remote", title: "A remote of rclone",
        help:
            "Set it up with `rclone config`; `rclone config show NAME` prints what is asked for here. It is kept in your keyring alone.",
        fields: [
            SignInField("remote", label: "Remote", help: "NAME:PATH; the path may be empty."),
            SignInField(
                "configuration", label: "Configuration", kind: .secret,
                help: "The section of rclone.conf, and those of the remotes that it builds on."),
        ])

    private static let serviceForm = SignInForm(
        identifier: "service", title: "A service by its parameters",
        help: "As rclone's documentation of the back end names them.",
        fields: [
            SignInField("backend", label: "Back end", help: "For example s3, sftp, webdav."),
            SignInField(
                "parameters", label: "Parameters", help: "KEY=VALUE, divided by commas; a comma in a value twice.",
                isOptional: true),
            SignInField("path", label: "Path", help: "For example the bucket.", isOptional: true),
            SignInField(
                "secrets", label: "Secret parameters", kind: .secret,
                help: "KEY=VALUE, divided by commas; passwords as you know them."),
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
        let account = try RemoteAccount(
            settings: settings.merging(answers.settings) { _, answer in answer }, secret: configuration.credentialText)
        guard account.isComplete else {
            throw FileProviderError(
                .invalidArgument,
                "The configuration has no section of the name before the colon of “remote”. It has: \(account.configuration.sections.keys.sorted().joined(separator: ", "))."
            )
        }
        await session.use(account)
        _ = try await entries(in: .root)
        // With the tokens that rclone renewed by now: the service may take a former one once.
        let credential = Credential(kind: .oauth, secret: try await session.configuration.credentialText)
        return SignedIn(credential: credential, displayName: account.root)
    }
}
