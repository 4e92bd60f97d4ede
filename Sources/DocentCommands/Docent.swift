import ArgumentParser

/// The `docent` command: access to the documents of every enabled provider from a shell.
struct Docent: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docent",
        abstract: "Documents of every provider on this machine, in four modes: import, open, export, move.",
        discussion: """
            A LOCATION names a document: PROVIDER[@DOMAIN]:/PATH. PROVIDER is a bundle identifier, or its last \
            component if that is unambiguous. A byte of a name that is not UTF-8 is written \\xHH.

            EXAMPLES
              docent providers                          what is installed and enabled
              docent ls -l LocalFolder:/                what is at the top
              docent cat LocalFolder:/notes.txt         its content
              docent import LocalFolder:/notes.txt      a copy of your own
              docent export report.pdf LocalFolder:/    a copy at the provider

            EXIT CODES
              0  done                  5  unavailable now
              1  anything else         6  conflict
              2  not found             7  cancelled, or too late
              3  not permitted         64 wrong usage
              4  not signed in
            """,
        version: "docent \(version)",
        groupedSubcommands: [
            CommandGroup(
                name: "Document",
                subcommands: [
                    ListCommand.self, FindCommand.self, RecentsCommand.self, StarCommand.self, InfoCommand.self,
                    ThumbnailCommand.self, CatCommand.self, WriteCommand.self,
                    RenameCommand.self, RemoveCommand.self, MakeFolderCommand.self, TrashCommand.self,
                    UndoCommand.self,
                ]),
            CommandGroup(
                name: "Mode",
                subcommands: [
                    ImportCommand.self, OpenCommand.self, ExportCommand.self, MoveCommand.self, PickCommand.self,
                ]),
            CommandGroup(
                name: "Files",
                subcommands: [
                    MountCommand.self, UnmountCommand.self, PathCommand.self, LocateCommand.self, PolicyCommand.self,
                    DesktopCommand.self, NotificationsCommand.self,
                ]),
            CommandGroup(
                name: "Rights",
                subcommands: [
                    BookmarkCommand.self, GrantsCommand.self, RevokeCommand.self, LogCommand.self, WhyCommand.self,
                    PicksCommand.self, HeldCommand.self, RunCommand.self,
                ]),
            CommandGroup(
                name: "Local copy",
                subcommands: [
                    PinCommand.self, UnpinCommand.self, EvictCommand.self, RefreshCommand.self,
                ]),
            CommandGroup(
                name: "Version",
                subcommands: [
                    HistoryCommand.self, ShowCommand.self, DiffCommand.self, RestoreCommand.self, ConflictsCommand.self,
                    ResolveCommand.self, VersionsCommand.self,
                ]),
            CommandGroup(name: "Transfer", subcommands: [TransfersCommand.self, WatchCommand.self, DrainCommand.self]),
            CommandGroup(name: "Coordination", subcommands: [ClaimsCommand.self]),
            CommandGroup(
                name: "Provider",
                subcommands: [
                    ProvidersCommand.self, ProviderCommand.self, LoginCommand.self, LogoutCommand.self,
                    DomainsCommand.self, DriveCommand.self,
                ]),
            CommandGroup(
                name: "Maintenance", subcommands: [DoctorCommand.self, IndexCommand.self, DaemonCommand.self]),
        ])

    /// The version that `--version` prints.
    static let version = "0.1.0"
}
