import ArgumentParser

struct PolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "List and set which programs download documents.",
        discussion: """
            In a mounted folder (`docent mount`), indexers, thumbnailers and backups get the error "Object is remote" \
            instead of a document that is not on this machine, and any other program after too many of them within a \
            minute. Names, sizes and dates are shown to all.

            A program is recognised by the name of its file, a script by its own, and both by the unit of systemd that \
            they belong to; a program that such a program starts counts too. Your own rules come before the standard \
            ones, and the first rule that is about a program counts. They are in ~/.config/docent/view-policy.json, \
            and are in effect a second after a change.

            EXAMPLES
              docent policy
              docent policy check tumblerd
              docent policy allow borg
              docent policy refuse 'my-crawler*'
              docent policy limit 1000
            """,
        subcommands: [
            PolicyListCommand.self, PolicyCheckCommand.self, PolicyRefuseCommand.self, PolicyAllowCommand.self,
            PolicyLimitCommand.self, PolicyResetCommand.self,
        ],
        defaultSubcommand: PolicyListCommand.self)
}
