import ArgumentParser

struct DaemonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daemon", abstract: "Start, stop and inspect the daemon.",
        discussion: "The daemon starts by itself when it is needed, and leaves when nobody needs it.",
        subcommands: [DaemonStartCommand.self, DaemonStopCommand.self, DaemonStatusCommand.self])
}
