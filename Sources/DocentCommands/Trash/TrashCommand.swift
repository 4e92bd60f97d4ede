import ArgumentParser

struct TrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash", abstract: "List, restore and empty the trash of accounts and folders.",
        discussion: """
            What `docent rm` deletes goes to the trash of its provider, if that has one: `docent provider show` says \
            so. It stays there until you restore it or empty the trash; a service may delete it by its own rules. \
            Where there is no trash, it can be restored for the time that `docent trash keep` shows.

            EXAMPLES
              docent trash
              docent trash restore LocalFolder:/notes.txt
              docent trash empty webdav@work
            """,
        subcommands: [
            TrashListCommand.self, TrashRestoreCommand.self, TrashEmptyCommand.self, TrashKeepCommand.self,
        ],
        defaultSubcommand: TrashListCommand.self)
}
