import ArgumentParser
import CommandConsole
import Documents

struct DriveJoinCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Join a drive with the code of an invitation.",
        discussion: """
            `docent drive invite` on a machine that is in the drive makes the code, and asks there whether this machine \
            may come in. This command waits for that, until the invitation expires. Without CODE it is asked for, like \
            a secret. The code alone opens nothing: the keys are sealed to this machine.

            EXAMPLES
              docent drive join /media/disk/drive
              docent drive join s3://documents/drive --endpoint https://s3.example.org
            """)

    @Argument(
        help: "The folder or s3://BUCKET/PREFIX where the drive is.", completion: .directory,
        transform: DriveStorePlace.parse)
    var store: DriveStorePlace

    @Argument(help: "The code of the invitation.")
    var code: String?

    @Flag(name: .long, help: "Do not ask whether the provider may be enabled.")
    var yes = false

    @OptionGroup var options: DriveAccountOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        try options.check(store)
        if let code, code.isEmpty { throw ValidationError("The code is empty.") }
    }

    func run() async throws {
        var setUp = DriveSetUp(store, options, form: "join", yes: yes)
        setUp.secrets["code"] = code
        let done = try await setUp.run()
        if format.json { return try StandardOutput.write(JSONValue(login: done.reply).pretty) }
        try StandardOutput.write(DriveText.joined(done.account, setUp.place.text))
    }
}
