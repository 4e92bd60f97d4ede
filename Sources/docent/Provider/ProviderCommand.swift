import ArgumentParser

/// `docent provider`.
struct ProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider", abstract: "Enable, disable and inspect one provider.",
        subcommands: [
            ProviderShowCommand.self, ProviderEnableCommand.self, ProviderDisableCommand.self,
            ProviderResetCommand.self, ProviderValidateCommand.self,
        ])
}
