import ArgumentParser

struct VersionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions",
        abstract: "List, read, restore and remove the versions that are kept beside documents.",
        discussion: """
            A version is kept where nothing may be lost: when two changes met (conflict), when a change could not be sent \
            any more (unsent), when a program ended before it had saved (recovered), when another version was put in its \
            place (replaced), and when a document with changes was deleted elsewhere (deleted).

            EXAMPLES
              docent versions
              docent versions webdav@work:/plan.txt
              docent versions show 17 -o mine.txt
              docent versions restore 17 webdav@work:/plan.txt
            """,
        subcommands: [
            VersionsListCommand.self, VersionsShowCommand.self, VersionsRestoreCommand.self,
            VersionsRemoveCommand.self,
        ],
        defaultSubcommand: VersionsListCommand.self)
}
