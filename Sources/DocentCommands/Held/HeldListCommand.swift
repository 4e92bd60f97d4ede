import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct HeldListCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the programs and listings that are held until you decide.",
        discussion: """
            A program is held when it deletes or replaces too many documents within a minute, or turns more than ten into \
            what looks like random data, as a program does that encrypts them. A listing is held when a \
            server leaves out more than half of at least 50 known items: nothing is removed here until \
            `docent refresh --accept`.

            EXAMPLES
              docent held list
              docent held list --json
            """)

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let held = try await DocumentsClient.administrator().call(AdministrationInterface.Held.self, .init()).value
        try StandardOutput.write(format.json ? HeldText.json(held).pretty : HeldText.text(held))
    }
}
