import ArgumentParser
import DocentInterfaces
import Documents

/// `docent domains remove`.
struct DomainsRemoveCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a domain from a provider.",
        discussion: """
            The folder of a provider of local files stays as it is. Refused while changes wait to be sent; with --force, \
            which asks first, they are kept as versions: `docent versions` shows them.

            EXAMPLES
              docent domains remove LocalFolder work
              docent domains remove --force webdav work
            """)

    @Argument(help: "The provider.")
    var provider: String

    @Argument(help: "The domain's identifier.")
    var name: String

    @Flag(name: .long, help: "Also while changes wait to be sent.")
    var force = false

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let administrator = DocumentsClient.administrator()
        let domain = force ? try await administrator.domains(provider: provider).first { $0.identifier == name } : nil
        let waiting = (domain?.pendingChanges ?? 0) + (domain?.failedChanges ?? 0)
        if waiting > 0 {
            let changes = DrainOutcome.changes(waiting)
            try Confirmation.require(
                "Remove \(SafeText.escaped(name)), and keep \(changes) that \(waiting == 1 ? "was" : "were") not sent "
                    + "as versions?", isGiven: yes)
        }
        _ = try await administrator.call(
            AdministrationInterface.RemoveDomain.self,
            .init(provider: provider, identifier: name, force: force ? true : nil))
    }
}
