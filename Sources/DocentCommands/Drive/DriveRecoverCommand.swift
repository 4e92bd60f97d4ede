import ArgumentParser
import CommandConsole
import Documents
import SignInConversation

struct DriveRecoverCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover", abstract: "Open a drive with its recovery phrase.",
        discussion: """
            For when no machine is left that could invite this one. The phrase opens everything, but it does not know \
            what the drive contained: a store that shows an older state is not noticed. It is asked for, or read from \
            the file that `docent drive create --recovery-file` made.

            EXAMPLES
              docent drive recover /media/disk/drive
              docent drive recover s3://documents/drive --recovery-file ~/phrase.txt
            """)

    @Argument(
        help: "The folder or s3://BUCKET/PREFIX where the drive is.", completion: .directory,
        transform: DriveStorePlace.parse)
    var store: DriveStorePlace

    @Option(
        name: .long,
        help: ArgumentHelp("Read the phrase from this file, which only you may read.", valueName: "file"),
        completion: .file())
    var recoveryFile: String?

    @Flag(name: .long, help: "Do not ask whether the provider may be enabled.")
    var yes = false

    @OptionGroup var options: DriveAccountOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        try options.check(store)
        if let recoveryFile, recoveryFile.isEmpty { throw ValidationError("--recovery-file must name a file.") }
    }

    func run() async throws {
        var setUp = DriveSetUp(store, options, form: "recover", yes: yes)
        setUp.secrets["phrase"] = try recoveryFile.map(RecoveryPhraseText.read)
        let done = try await setUp.run()
        if format.json { return try StandardOutput.write(JSONValue(login: done.reply).pretty) }
        try StandardOutput.write(DriveText.joined(done.account, setUp.place.text))
    }
}
