import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct ProviderShowCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what a provider is, where its files are and what it asks for.",
        discussion: """
            EXAMPLES
              docent provider show LocalFolder
              docent provider show --json org.docent.LocalFolder
            """)

    @Argument(
        help: "The provider: its bundle identifier, or the last component of it.",
        completion: .custom(NameCompletion.providers))
    var name: String

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let consent = try await DocumentsClient.administrator().consent(name)
        try StandardOutput.write(format.json ? JSONValue(consent: consent).pretty : ConsentText.text(consent))
    }
}

extension DocumentsClient {
    /// What the user agrees to by enabling a provider.
    func consent(_ provider: String) async throws(DocumentsError) -> Wire.Consent {
        try await call(AdministrationInterface.DescribeProvider.self, .init(provider: provider)).value.consent
    }
}
