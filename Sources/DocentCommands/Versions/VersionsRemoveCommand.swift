import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents

struct VersionsRemoveCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a kept version permanently.",
        discussion: """
            EXAMPLES
              docent versions remove 17
              docent versions remove --yes 17
            """)

    @Argument(help: "The version, as `docent versions` names it.")
    var identifier: String

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var report: ReportOptions

    func run() async throws {
        try Confirmation.require("Remove the version \(SafeText.escaped(identifier)) permanently?", isGiven: yes)
        _ = try await DocumentsClient.administrator().call(
            AdministrationInterface.RemoveVersion.self, .init(identifier: identifier))
    }
}
