import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents

struct ProviderEnableCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Enable a provider after showing what it asks for.",
        discussion: """
            You agree to exactly what was shown: a provider that changes afterwards must be enabled again. After an \
            update, a provider that the administrator installed runs without what the update adds, until you enable it \
            again.

            EXAMPLES
              docent provider enable LocalFolder
              docent provider enable --yes org.example.Cloud
            """)

    @Argument(
        help: "The provider: its bundle identifier, or the last component of it.",
        completion: .custom(NameCompletion.providers))
    var name: String

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @Flag(name: .long, help: "Run it without its sandbox: it may then do everything that you may do.")
    var unsandboxed = false

    @Flag(name: .long, help: "Agree that it joins a document group that belongs to another provider.")
    var joinGroups = false

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let client = DocumentsClient.administrator()
        let consent = try await client.consent(name)
        let isNothingNew = consent.withheld?.isEmpty ?? true
        if consent.enabled, consent.state == "ready", isNothingNew, !unsandboxed, !joinGroups {
            return try StandardOutput.write("\(SafeText.escaped(consent.provider)) is already enabled.\n")
        }
        if !yes { StandardError.write(ConsentText.text(consent)) }
        if unsandboxed {
            StandardError.write("WITHOUT ITS SANDBOX this provider may do everything that you may do.\n")
        }
        try Confirmation.require("Enable \(SafeText.escaped(consent.displayName))?", isGiven: yes)
        _ = try await client.call(
            AdministrationInterface.EnableProvider.self,
            .init(
                provider: consent.provider, digest: consent.digest, unsandboxed: unsandboxed, joinGroups: joinGroups))
        try StandardOutput.write("\(SafeText.escaped(consent.provider)) is enabled.\n")
    }
}
