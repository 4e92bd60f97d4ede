import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Varlink

struct VersionsRestoreCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a kept version in the place of its document.",
        discussion: """
            The current content is itself kept as a version (replaced), so that you can undo this. Programs that have \
            the document open save their changes first, and see the change.

            EXAMPLES
              docent versions restore 17 webdav@work:/plan.txt
            """)

    @Argument(help: "The version, as `docent versions` names it.")
    var identifier: String

    @Argument(
        help: "The document: PROVIDER[@DOMAIN]:/PATH.", completion: LocationText.completion,
        transform: LocationText.parse)
    var location: DocumentLocation

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let client = DocumentsClient.administrator()
        let version = try await client.call(
            AdministrationInterface.OpenVersion.self, .init(identifier: identifier)
        ).value.version
        let document = try await DocumentPicker(client: client).openDocument(at: location)
        guard document.reference.wire == version.reference else {
            throw DocumentsError(
                .invalidArgument, "\(SafeText.escaped(identifier)) is not a version of \(location).",
                suggestion: "`docent versions \(location)` lists them; `docent versions show` reads any version.")
        }
        guard
            let restored = try await FileVersion.version(
                of: document, forPersistentIdentifier: version.identifier)
        else {
            throw DocumentsError(.notFound, "There is no version \(SafeText.escaped(identifier)).")
        }
        _ = try await RestoreCommand.restore(restored, of: document)
        // The version is now the document itself.
        _ = try await client.call(AdministrationInterface.RemoveVersion.self, .init(identifier: identifier))
    }
}
