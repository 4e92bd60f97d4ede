import ArgumentParser

struct DesktopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "desktop", abstract: "Make Docent's window the file dialog of your programs.",
        discussion: """
            Programs that ask the desktop for files, such as Firefox, then show the documents of all accounts too. \
            Needs `make install-desktop`; docs/picker.md says more.
            """,
        subcommands: [DesktopEnableCommand.self, DesktopDisableCommand.self, DesktopStatusCommand.self])
}
