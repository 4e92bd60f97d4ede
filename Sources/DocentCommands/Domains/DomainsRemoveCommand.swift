import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct DomainsRemoveCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a domain from a provider.",
        discussion: """
            The folder of a provider of local files stays as it is. The command refuses while changes wait to be sent; \
            with --force, which asks first, they are kept as versions: `docent versions` shows them. It refuses too while \
            deletions can still be taken back; with --force what was deleted stays at the service. It also refuses \
            while the secret of an account cannot be deleted because its keyring is locked. If that keyring is gone \
            for good, --leave-secret removes the domain nevertheless and says where the secret remains.

            EXAMPLES
              docent domains remove LocalFolder work
              docent domains remove --force webdav work
              docent domains remove --leave-secret webdav work
            """)

    @Argument(help: "The provider.", completion: .custom(NameCompletion.providers))
    var provider: String

    @Argument(help: "The domain's identifier.", completion: .custom(NameCompletion.domains))
    var name: String

    @Flag(name: .long, help: "Even if changes wait to be sent.")
    var force = false

    @Flag(name: .long, help: "Even if its secret cannot be deleted because its keyring cannot be opened.")
    var leaveSecret = false

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
                "\(changes) \(waiting == 1 ? "was" : "were") not sent, and will be kept as "
                    + "\(waiting == 1 ? "a version" : "versions"). Remove \(SafeText.escaped(name))?", isGiven: yes)
        }
        let reply = try await administrator.call(
            AdministrationInterface.RemoveDomain.self,
            .init(
                provider: provider, identifier: name, force: force ? true : nil,
                leaveSecret: leaveSecret ? true : nil)
        ).value
        for place in reply.undeleted ?? [] {
            StandardError.write("docent: \(SafeText.escaped(place)) was deleted here, and stays at the service.\n")
        }
        if let left = reply.left { StandardError.write("docent: \(SafeText.escaped(left))\n") }
    }
}
