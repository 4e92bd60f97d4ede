import ArgumentParser

struct ProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider", abstract: "Begin, import, install, check and enable a provider.",
        subcommands: [
            ProviderShowCommand.self, ProviderFormsCommand.self, ProviderEnableCommand.self,
            ProviderDisableCommand.self,
            ProviderResetCommand.self, ProviderInitCommand.self, ProviderImportCommand.self,
            ProviderInstallCommand.self,
            ProviderUninstallCommand.self, ProviderValidateCommand.self,
        ])
}
