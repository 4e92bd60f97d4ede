import ArgumentParser

struct BookmarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bookmark", abstract: "Make and follow bookmarks.",
        subcommands: [BookmarkCreateCommand.self, BookmarkResolveCommand.self, BookmarkShowCommand.self])
}
