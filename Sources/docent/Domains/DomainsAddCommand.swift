import ArgumentParser
import DocentInterfaces
import Documents
import ExtensionManifest

/// `docent domains add`.
struct DomainsAddCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a domain to a provider.",
        discussion: """
            The provider's sandbox is opened for the folder, and for nothing else of yours.

            EXAMPLES
              docent domains add LocalFolder work --folder ~/Work
              docent domains add LocalFolder music --folder /srv/music --display-name "Our music"
            """)

    @Argument(help: "The provider.")
    var provider: String

    @Argument(help: "The domain's identifier, as it stands in locations after the @.")
    var name: String

    @Option(
        name: .long, help: ArgumentHelp("The folder of a provider of local files.", valueName: "path"),
        completion: .directory)
    var folder: String?

    @Option(name: .long, help: ArgumentHelp("Its name for people.", valueName: "name"))
    var displayName: String?

    @OptionGroup var report: ReportOptions

    func validate() throws {
        guard !name.isEmpty, !name.contains(where: { "@:/".contains($0) }) else {
            throw ValidationError("A domain's identifier is not empty and has no @, : or / in it.")
        }
        if let folder, folder.isEmpty { throw ValidationError("The folder's path is empty.") }
    }

    func run() async throws {
        let domain = Wire.Domain(
            provider: provider, identifier: name, displayName: displayName ?? name,
            folder: folder.map { Self.absolute($0, from: ManifestEnvironment.workingDirectory()) })
        _ = try await DocumentsClient.administrator().call(
            AdministrationInterface.AddDomain.self, .init(domain: domain))
    }

    /// A path as the daemon takes it, which has another working directory.
    static func absolute(_ path: String, from directory: String) -> String {
        if path.hasPrefix("/") { return path }
        return (directory.hasSuffix("/") ? directory : directory + "/") + path
    }
}
