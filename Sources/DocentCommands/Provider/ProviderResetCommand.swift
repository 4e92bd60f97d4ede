import ArgumentParser
import DocentInterfaces
import Documents

struct ProviderResetCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Lift a provider's quarantine and forget its crashes.",
        discussion: """
            EXAMPLES
              docent provider reset LocalFolder
            """)

    @Argument(
        help: "The provider: its bundle identifier, or the last component of it.",
        completion: .custom(NameCompletion.providers))
    var name: String

    @OptionGroup var report: ReportOptions

    func run() async throws {
        _ = try await DocumentsClient.administrator().call(
            AdministrationInterface.ResetProvider.self, .init(provider: name))
    }
}
