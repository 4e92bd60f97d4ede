import ArgumentParser

struct HeldCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "held", abstract: "List and allow what is held because it changes too much at once.",
        discussion: """
            A program that deletes or replaces more than 50 documents within a minute, or turns more than ten into what \
            looks like random data, is held: it changes nothing more until you allow it.

            EXAMPLES
              docent held
              docent held allow org.example.Editor
              docent held limit 200
            """,
        subcommands: [HeldListCommand.self, HeldAllowCommand.self, HeldLimitCommand.self],
        defaultSubcommand: HeldListCommand.self)
}
