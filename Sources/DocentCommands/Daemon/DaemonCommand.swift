import ArgumentParser

struct DaemonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daemon", abstract: "Start, stop and inspect the daemon.",
        discussion: "The daemon starts automatically when it is needed, and exits when nobody needs it.",
        subcommands: [DaemonStartCommand.self, DaemonStopCommand.self, DaemonStatusCommand.self])
}
