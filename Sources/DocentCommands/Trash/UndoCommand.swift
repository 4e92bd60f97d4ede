import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct UndoCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Take back the last deletion, move, rename or save.",
        discussion: """
            The last one that any client made through Docent, within 30 days; repeat the command for the one before. \
            It says what it will take back, and asks on a terminal. If something newer stands in the way, such as \
            another document in the former place, nothing is changed and the command exits with 6. What was deleted \
            for good cannot be taken back.

            EXAMPLES
              docent undo
              docent undo --yes --json
            """)

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let client = DocumentsClient.administrator()
        guard let change = try await client.call(AdministrationInterface.LastChange.self, .init()).value.change else {
            throw DocumentsError(.notFound, "There is nothing to take back.")
        }
        let text = SafeText.escaped(ChangeText.sentence(change))
        if let obstacle = change.obstacle {
            throw DocumentsError(
                .conflict, "The last change cannot be taken back: \(ChangeText.sentence(change)), but \(obstacle)",
                suggestion: "`docent trash list` shows what is in the trash.")
        }
        guard try yes || Confirmation.offer("\(text). Take it back?") else {
            throw DocumentsError(.cancelled, "Nothing was changed.")
        }
        let undone = try await withActivity("Taking it back") { _ in
            try await client.call(
                AdministrationInterface.Undo.self, .init(identifier: change.identifier), attempts: 4
            ).value.change
        }
        try StandardOutput.write(
            format.json
                ? JSONValue(change: undone).pretty
                : "taken back: \(text)\n")
    }
}
