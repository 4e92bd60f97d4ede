import ArgumentParser

struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications", abstract: "Show notifications when you have to decide something.",
        discussion: """
            They appear when what was saved here has become a conflict version, and when the changes of a program are \
            held. Buttons settle it, or let the program go on. That needs a desktop with notifications; without one, \
            `docent conflicts` and `docent held` say the same.

            EXAMPLES
              docent notifications on
              docent notifications off
              docent notifications status --json
            """,
        subcommands: [NotificationsOnCommand.self, NotificationsOffCommand.self, NotificationsStatusCommand.self],
        defaultSubcommand: NotificationsStatusCommand.self)
}
