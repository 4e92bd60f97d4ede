import ArgumentParser
import SignInConversation

/// How a machine comes into a drive: the account that is added, the server of the store, and where secrets come from.
struct DriveAccountOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The account's name on this machine, as in Drive@NAME:/; without it, the last part of STORE.",
            valueName: "name"))
    var name: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What the other machines call this one; without it, its host name.", valueName: "name"))
    var machine: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The server of an s3:// store, as https://HOST; without it, Amazon's.", valueName: "url"))
    var endpoint: String?

    @Option(name: .long, help: ArgumentHelp("The region of an s3:// store.", valueName: "region"))
    var region: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The certificates, in PEM, that sign the server's certificate.", valueName: "file"),
        completion: .file())
    var certificateAuthority: String?

    @Option(
        name: .customLong("secret-fd"),
        help: ArgumentHelp(
            "Read the secrets from this open descriptor, one on each line: of an s3:// store the access key and the "
                + "secret key, then what else is asked for.", valueName: "number"))
    var secretDescriptor: Int32?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Ask for secrets with this program: the question is its argument, its output the answer.",
            valueName: "program"), completion: .file())
    var askpass: String?

    @Flag(name: .long, help: "Read the secrets from standard input, one on each line, in the same order.")
    var passwordStdin = false

    @Flag(
        name: .long,
        help:
            """
            If there is no keyring: keep the keys in a file whose key is beside it, so that whoever reads your files \
            can read it.
            """
    )
    var sealedFile = false

    @Flag(name: .long, help: "Keep the keys only in the daemon's memory; they are gone with the daemon.")
    var session = false

    func validate() throws {
        guard !sealedFile || !session else { throw ValidationError("Choose one of --sealed-file and --session.") }
        let ways = [secretDescriptor != nil, askpass != nil, passwordStdin].count { $0 }
        guard ways <= 1 else {
            throw ValidationError("Choose one of --secret-fd, --askpass and --password-stdin.")
        }
        if let secretDescriptor, secretDescriptor < 0 || secretDescriptor == 1 || secretDescriptor == 2 {
            throw ValidationError(
                "--secret-fd must name a descriptor that is open for reading, as in --secret-fd 3 3<FILE.")
        }
        if let askpass, askpass.isEmpty { throw ValidationError("--askpass must name a program.") }
        if let name, name.isEmpty || name.contains(where: { "@:/".contains($0) }) {
            throw ValidationError("An account's name must not be empty, and must not contain @, : or /.")
        }
    }

    /// Refuses options that do not fit the store.
    func check(_ place: DriveStorePlace) throws {
        guard case .folder = place, endpoint != nil || region != nil || certificateAuthority != nil else { return }
        throw ValidationError("--endpoint, --region and --certificate-authority are for s3:// stores only.")
    }

    /// The source of secrets that was given.
    var secrets: SecretOptions {
        SecretOptions(descriptor: secretDescriptor, isStandardInput: passwordStdin, askpass: askpass)
    }
}
