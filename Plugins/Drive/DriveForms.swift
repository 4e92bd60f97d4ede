import FileProvider

/// The forms to create a drive, and to come in on a further machine.
enum DriveForms {
    private static let place = [
        SignInField(
            "url", label: "Address",
            help: "s3://BUCKET or s3://BUCKET/PREFIX. Leave it empty if the account has a folder.", isOptional: true),
        SignInField(
            "endpoint", label: "Server", kind: .url,
            help: "The server's address, for example https://s3.example.org. If empty: Amazon's.", isOptional: true),
        SignInField("region", label: "Region", value: "us-east-1", isOptional: true),
        SignInField("accessKey", label: "Access key", kind: .secret, isOptional: true),
        SignInField("secretKey", label: "Secret key", kind: .secret, isOptional: true),
        SignInField(
            "device", label: "Name of this machine", help: "Other machines show it beside your changes.",
            isOptional: true),
    ]

    /// Asks for the phrase that was shown.
    static let again = SignInField(
        "phraseAgain", label: "The recovery phrase, from your note", kind: .secret,
        help: "Without it, the drive is lost with your last machine. Nobody can send you another one.")

    static let create = SignInForm(
        identifier: "create", title: "Create a drive",
        help: "The place must be empty. You get a recovery phrase: write it down, it is shown once.",
        fields: place, questions: [again])

    static let recover = SignInForm(
        identifier: "recover", title: "Open a drive with its recovery phrase",
        fields: place + [SignInField("phrase", label: "Recovery phrase", kind: .secret)])

    static let join = SignInForm(
        identifier: "join", title: "Join a drive with the code of an invitation",
        help: "`docent drive invite` on a machine that is in the drive makes the code.",
        fields: place + [SignInField("code", label: "Code of the invitation", kind: .secret)])
}
