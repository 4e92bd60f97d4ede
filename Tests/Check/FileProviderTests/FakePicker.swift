import FileProvider
import FoundationEssentials
import UniformTypes

/// A picker with one document, which can be made to end wrongly.
final class FakePicker: DocumentPickerExtension {
    override func contents(of path: String, page: String?) async throws -> DocumentPickerPage {
        DocumentPickerPage(entries: [
            DocumentPickerEntry(path: "/one", name: "mode \(documentPickerMode?.rawValue ?? "none")")
        ])
    }

    override func userDidChoose(_ path: String, name: String?) async throws {
        switch path {
        case "/cancel": dismissGrantingAccess(to: nil)
        case "/never": break
        case "/slow":
            progress.note(completed: 1, total: 4)
            dismissGrantingAccess(to: URL(filePath: "/slow"))
        case "/twice":
            dismissGrantingAccess(to: URL(filePath: "/first"))
            dismissGrantingAccess(to: URL(filePath: "/second"))
        case "/types":
            dismissGrantingAccess(to: URL(filePath: "/" + (validTypes ?? []).map(\.identifier).joined(separator: ",")))
        case "/original":
            guard let originalURL else { throw FileProviderError(.failed, "There is no source.") }
            let copy = FileManager.default.temporaryDirectory.appending(path: name ?? "", directoryHint: .notDirectory)
            try Data(contentsOf: originalURL).write(to: copy)
            dismissGrantingAccess(to: copy)
        default:
            dismissGrantingAccess(
                to: (documentStorageURL ?? FileManager.default.temporaryDirectory)
                    .appending(path: String(path.dropFirst()), directoryHint: .notDirectory))
        }
    }
}
