import ArgumentParser

struct BookmarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bookmark", abstract: "Create, resolve and show bookmarks.",
        subcommands: [BookmarkCreateCommand.self, BookmarkResolveCommand.self, BookmarkShowCommand.self])
}
