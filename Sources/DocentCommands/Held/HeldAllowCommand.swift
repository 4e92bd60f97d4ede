import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct HeldAllowCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Let a program that is held go on for ten minutes.",
        discussion: """
            For that time it may delete and replace any number of documents. Repeat what was refused: nothing of it was \
            done. Exits with 2 if no such program is held.

            EXAMPLES
              docent held allow org.example.Editor
            """)

    @Argument(
        help: ArgumentHelp("The program, as `docent held list` shows it.", valueName: "client"),
        completion: .custom(NameCompletion.heldClients))
    var client: String

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let administrator = DocumentsClient.administrator()
        let held = try await administrator.call(AdministrationInterface.Held.self, .init()).value.clients
        let chosen = held.filter { $0.client == client }
        guard !chosen.isEmpty else {
            throw DocumentsError(
                .notFound, "\(client) is not held.", suggestion: "`docent held list` shows what is.")
        }
        var allowed: [(Wire.HeldClient, until: Double)] = []
        for found in chosen {
            let until = try await administrator.call(
                AdministrationInterface.AllowHeld.self, .init(clientKind: found.clientKind, client: found.client)
            ).value.until
            allowed.append((found, until))
        }
        try StandardOutput.write(format.json ? HeldText.json(allowed).pretty : HeldText.text(allowed))
    }
}
