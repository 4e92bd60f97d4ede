import ArgumentParser

struct TransfersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfers", abstract: "List, cancel and retry transfers.",
        discussion: """
            Transfers belong to the daemon: they continue after the program that asked for them has ended, and after a \
            restart.

            EXAMPLES
              docent transfers
              docent transfers --watch
              docent transfers retry
            """,
        subcommands: [TransfersListCommand.self, TransfersCancelCommand.self, TransfersRetryCommand.self],
        defaultSubcommand: TransfersListCommand.self)
}
