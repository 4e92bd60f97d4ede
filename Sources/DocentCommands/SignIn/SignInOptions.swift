import ArgumentParser
import SignInConversation

/// The answers to a form on the command line of `docent login`. A secret is never among them: arguments are visible to
/// everyone.
struct SignInOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The way to sign in, if the provider has several; by its identifier.", valueName: "form"))
    var form: String?

    @Option(name: .long, help: ArgumentHelp("The name that people see.", valueName: "name"))
    var displayName: String?

    @Option(name: .long, help: ArgumentHelp("The address of the service.", valueName: "url"))
    var url: String?

    @Option(name: .long, help: ArgumentHelp("The user name.", valueName: "name"))
    var username: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The certificates, in PEM, that sign the server's certificate.", valueName: "file"),
        completion: .file())
    var certificateAuthority: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Another answer by its key; never a secret. May be repeated.",
            valueName: "key=value"),
        transform: SettingText.parse)
    var set: [SettingText] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read an answer from this file: a private key, or any other secret. May be repeated.",
            valueName: "key=file"),
        transform: SettingText.parse)
    var setFile: [SettingText] = []

    @Option(
        name: .customLong("secret-fd"),
        help: ArgumentHelp(
            "Read the secret from this open descriptor, to its end; several secrets one on each line, in the order "
                + "of the form.",
            valueName: "number"))
    var secretDescriptor: Int32?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Ask for secrets with this program: the question is its argument, its output the answer.",
            valueName: "program"), completion: .file())
    var askpass: String?

    @Flag(
        name: .long,
        help: "Read the secret from the first line of standard input; several secrets one on each line.")
    var passwordStdin = false

    func validate() throws {
        let ways = [secretDescriptor != nil, askpass != nil, passwordStdin].count { $0 }
        guard ways <= 1 else {
            throw ValidationError("Choose one of --secret-fd, --askpass and --password-stdin.")
        }
        if let secretDescriptor, secretDescriptor < 0 || secretDescriptor == 1 || secretDescriptor == 2 {
            throw ValidationError(
                "--secret-fd must name a descriptor that is open for reading, as in --secret-fd 3 3<FILE.")
        }
        if let askpass, askpass.isEmpty { throw ValidationError("--askpass must name a program.") }
        if let twice = setFile.map(\.key).first(where: { key in
            given[key] != nil || setFile.count(where: { $0.key == key }) > 1
        }) {
            throw ValidationError("There is more than one answer to \(twice).")
        }
        if let empty = setFile.first(where: { $0.value.isEmpty }) {
            throw ValidationError("--set-file \(empty.key)=FILE must name a file.")
        }
        if let url, !FormAnswers.isAddress(url) {
            throw ValidationError("\"\(url)\" is not an address; write it like https://example.org/dav/.")
        }
    }

    /// The answers that were given, by key.
    var given: [String: String] {
        var values: [String: String] = [:]
        if let url { values["url"] = url }
        if let username { values["username"] = username }
        for setting in set { values[setting.key] = setting.value }
        return values
    }

    /// The source of secrets that was given.
    var secrets: SecretOptions {
        SecretOptions(descriptor: secretDescriptor, isStandardInput: passwordStdin, askpass: askpass)
    }

    /// The files that contain answers, by key.
    var files: [String: String] { Dictionary(setFile.map { ($0.key, $0.value) }) { $1 } }
}
