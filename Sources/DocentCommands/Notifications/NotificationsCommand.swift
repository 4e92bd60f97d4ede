import ArgumentParser

struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications", abstract: "Show notifications when you have to decide something.",
        discussion: """
            You are told when what was saved here has become a conflict version, and when the changes of a program are \
            held. Buttons settle it, or let the program go on. It needs a desktop with notifications; without one, \
            `docent conflicts` and `docent held` say the same.

            EXAMPLES
              docent notifications on
              docent notifications off
              docent notifications status --json
            """,
        subcommands: [NotificationsOnCommand.self, NotificationsOffCommand.self, NotificationsStatusCommand.self],
        defaultSubcommand: NotificationsStatusCommand.self)
}
