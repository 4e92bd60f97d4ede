import ArgumentParser
import DocentInterfaces
import Documents

struct ProviderDisableCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Disable a provider; its documents and grants are kept.",
        discussion: """
            EXAMPLES
              docent provider disable LocalFolder
            """)

    @Argument(
        help: "The provider: its bundle identifier, or the last component of it.",
        completion: .custom(NameCompletion.providers))
    var name: String

    @OptionGroup var report: ReportOptions

    func run() async throws {
        _ = try await DocumentsClient.administrator().call(
            AdministrationInterface.DisableProvider.self, .init(provider: name))
    }
}
