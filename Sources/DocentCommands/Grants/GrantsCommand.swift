import ArgumentParser

struct GrantsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grants", abstract: "List who may do what with which document, and give rights.",
        discussion: """
            EXAMPLES
              docent grants
              docent grants --client org.example.editor --json
              docent grants LocalFolder:/notes.txt
              docent grants add org.example.player LocalFolder:/films --read-only
            """,
        subcommands: [GrantsListCommand.self, GrantsAddCommand.self], defaultSubcommand: GrantsListCommand.self)
}
