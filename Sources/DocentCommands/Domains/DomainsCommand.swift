import ArgumentParser

struct DomainsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domains", abstract: "List, add, change and remove the domains of providers.",
        discussion: """
            A domain is an account of a provider's service, or a folder of a provider of local files.

            EXAMPLES
              docent domains
              docent domains add LocalFolder work --folder ~/Work
              docent domains set webdav work --password-file ~/.dav
              docent domains remove LocalFolder work
            """,
        subcommands: [
            DomainsListCommand.self, DomainsShowCommand.self, DomainsAddCommand.self, DomainsSetCommand.self,
            DomainsRemoveCommand.self,
        ],
        defaultSubcommand: DomainsListCommand.self)
}
