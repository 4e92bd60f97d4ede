import ArgumentParser

struct VersionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions",
        abstract: "List, read, restore and remove what is kept beside documents, and say how much is.",
        discussion: """
            A version is kept whenever something would otherwise be lost: when two changes conflict (conflict), when a \
            change can no longer be sent (unsent), when a program ended before it had saved (recovered), when another \
            version was put in its place (replaced), when a document with changes was deleted elsewhere (deleted), and \
            when a save replaced it (superseded). The last are not listed without --all: `docent history` shows the \
            versions of one document.

            EXAMPLES
              docent versions
              docent versions webdav@work:/plan.txt
              docent versions show 17 -o mine.txt
              docent versions restore 17 webdav@work:/plan.txt
              docent versions keep --days 90
            """,
        subcommands: [
            VersionsListCommand.self, VersionsShowCommand.self, VersionsRestoreCommand.self,
            VersionsRemoveCommand.self, VersionsKeepCommand.self,
        ],
        defaultSubcommand: VersionsListCommand.self)
}
