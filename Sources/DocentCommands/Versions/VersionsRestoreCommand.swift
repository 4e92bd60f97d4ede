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
        let opened = try await client.call(
            AdministrationInterface.OpenVersion.self, .init(identifier: identifier))
        let source = try opened.descriptors.take(opened.value.file)
        let document = try await DocumentPicker(client: client).openDocument(at: location)
        guard document.reference.wire == opened.value.version.reference else {
            throw DocumentsError(
                .invalidArgument, "\(SafeText.escaped(identifier)) is not a version of \(location).",
                suggestion: "`docent versions \(location)` lists them; `docent versions show` reads any version.")
        }
        try await FileCoordinator(client: client).coordinate(
            writingItemAt: document.reference, options: .forMerging
        ) { access in
            let session = try await access.session(replacing: true)
            try ContentPump.copy(from: source.raw, to: session.descriptor)
            try await access.session(replacing: false).setAside(as: "replaced")
            try await session.commit()
        }
        // The version is now the document itself.
        _ = try await client.call(AdministrationInterface.RemoveVersion.self, .init(identifier: identifier))
    }
}
