import ArgumentParser

struct IndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Show and control the index that `docent find` searches.",
        discussion: """
            The index has the names and other facts of all documents that the daemon has learned of. The folders of an \
            account are listed in the background when somebody searches and that was not done for a day.

            EXAMPLES
              docent index
              docent index pause webdav@work
              docent index rebuild
            """,
        subcommands: [
            IndexStatusCommand.self, IndexStartCommand.self, IndexPauseCommand.self, IndexRebuildCommand.self,
        ],
        defaultSubcommand: IndexStatusCommand.self)
}
